"""What the doctor and a probe tell of this machine and of the model's storage."""
