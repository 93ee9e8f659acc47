"""Sends what writers wrote to a bucket, from a folder on this machine."""
