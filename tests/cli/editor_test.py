"""Editors: with the files of a workspace or a collection, clangd opens what its owner writes without an error, on a
machine without CUDA. The files of the clone itself are those of a workspace."""

import shutil

from clangd import PROBLEMS, Clangd
from support import SOURCE, Workspace, main


class Clone(Workspace):
    def test_its_editor_files_are_those_of_a_workspace(self):
        folder = self.temporary_folder()
        shutil.copytree(SOURCE / "exercises", folder / "exercises")
        (folder / "engine").symlink_to(SOURCE / "engine")
        (folder / "validator").symlink_to(SOURCE / "validator")
        self.run_engine("init", folder, environment={"ENGINE_CALLED_AS": str(folder / "engine")}, expect=0)
        # A folder that has no headers gets a copy of them.
        outside = ".engine/cuda"
        inside = "validator/emulator/include"
        for name in (".clangd", "compile_flags.txt", ".vscode/tasks.json"):
            made = (folder / name).read_text().replace(outside, inside)
            self.assertEqual((SOURCE / name).read_text(), made,
                             f"remove {name} and bring it back with: ./engine init .")

    def test_each_package_names_the_contract_of_its_exercise(self):
        for problem in PROBLEMS:
            self.assertIn(f"-Iexercises/{problem}]", (SOURCE / "problems" / problem / ".clangd").read_text())


class Opening(Clangd):
    def test_every_starter_opens_in_a_new_workspace(self):
        w = self.folder / "w"
        self.run_engine("init", w, expect=0)
        starters = [file for suffix in ("cpp", "cu") for file in w.glob(f"exercises/*/*.{suffix}")]
        self.assertEqual(len(starters), len(PROBLEMS))
        self.assert_no_errors(starters)
        self.assert_no_errors(w.glob("exercises/common/*.h"))

    def test_every_source_of_a_new_collection_opens(self):
        mine = self.temporary_folder()
        self.run_engine("new", "my-problem", cwd=mine, expect=0)
        self.run_engine("new", "my-kernel", "--cuda", cwd=mine, expect=0)
        sources = [file for suffix in ("cpp", "cu", "h") for file in mine.glob(f"*/my-*/**/*.{suffix}")]
        self.assertEqual({file.name for file in sources},
                         {"contract.h", "copy_scaled.cpp", "with-algorithms.cpp", "suite.cpp", "picture.cpp",
                          "copy_scaled.cu", "grid-stride.cu", "picture.cu"})
        self.assert_no_errors(sources)
        suite = mine / "problems/my-problem/suite.cpp"
        suite.write_text(suite.read_text().replace("subject::copy_scaled(", "subject::copy_saled("))
        self.assertTrue(self.errors(suite))

    def test_an_accepted_variant_opens_in_the_place_of_the_starter(self):
        w = self.folder / "w"
        self.run_engine("init", w, expect=0)
        for source, target in (("token-lookup/accepted/pointer-loops.cpp", "token-lookup/lookup.cpp"),
                               ("cuda-lookup/accepted/shared-ids.cu", "cuda-lookup/lookup.cu")):
            shutil.copy(SOURCE / "problems" / source, w / "exercises" / target)
            self.assert_no_errors([w / "exercises" / target])

    def test_what_is_wrong_in_a_kernel_is_shown(self):
        w = self.folder / "w"
        self.run_engine("init", w, expect=0)
        kernel = w / "exercises/cuda-lookup/lookup.cu"
        whole = """#include "contract.h"
namespace exercise {
__device__ float half_of(float v) { return std::sqrt(v) + sqrtf(v) * 0.5f; }
__global__ void kernel(float* out) { out[threadIdx.x] = half_of(1.0f); }
Status lookup(DeviceMatrix<const float>, DeviceSpan<const TokenId>, DeviceMatrix<float> out, cudaStream_t stream) {
    kernel<<<1, 32, 0, stream>>>(out.data);
    return {};
}
}
"""
        kernel.write_text(whole)
        self.assert_no_errors([kernel])
        for right, wrong in (("(out.data);", "(out.data, 3);"), ("<<<1, 32, 0, stream>>>", "<<<1>>>"),
                             ("threadIdx.x", "threadIdx.w"), ("return {};", "half_of(1.0f); return {};")):
            with self.subTest(wrong):
                kernel.write_text(whole.replace(right, wrong))
                self.assertTrue(self.errors(kernel))


if __name__ == "__main__":
    main()
