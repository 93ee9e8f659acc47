"""Records profiles: with torch's, JAX's or TensorFlow's profiler, or by sampling Python."""
