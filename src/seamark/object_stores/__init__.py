"""Object stores of users: opens them with the credentials that other programs use, and says why one does not answer."""
