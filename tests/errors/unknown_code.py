from s2sad import errors


def run():
    errors.explain("S999")
