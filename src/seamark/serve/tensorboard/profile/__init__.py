"""The profile plugin of TensorBoard, as xprof 2.24 answers: runs, tools, hosts and the data of some tools."""
