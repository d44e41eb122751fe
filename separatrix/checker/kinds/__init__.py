"""Kinds of certificates: one file each, whose `judge` refuses a document or says what it shows."""
