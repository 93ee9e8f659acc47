"""Sends what writers wrote to a team server or a bucket, and gets runs of a server back."""
