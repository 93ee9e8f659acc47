"""The structure of encoded images, videos and sounds, read without decoding them."""
