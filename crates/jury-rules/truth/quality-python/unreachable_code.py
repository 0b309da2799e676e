def climb(ladder):
    for step in ladder:
        if step.loose:
            break
            step.fix()
        if step.missing:
            step.fix()
            break
    return ladder.top
    ladder.fold()
