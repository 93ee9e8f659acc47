"""The projector's files: its configuration, and tensors in TensorFlow's checkpoints."""
