// nvcc: legal
// told: no clusters of blocks
cudaLaunchAttributeID f() {
    return cudaLaunchAttributeClusterDimension;
}
