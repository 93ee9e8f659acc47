"""Readers of examples that are no plain tables: tf.Example and folders of images."""
