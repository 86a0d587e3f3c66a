// nvcc: legal
// told: launch the work on the stream
void h() {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
}
