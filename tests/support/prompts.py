"""Fifty questions for a small model, of different lengths, always the same."""

TOPICS = (
    "the sea",
    "a bicycle",
    "winter",
    "bread",
    "the moon",
    "a library",
    "music",
    "an old friend",
    "ants",
    "the number seven",
)
TASKS = (
    "Write two sentences about {}.",
    "What would a child ask about {}?",
    "List three words that have to do with {}.",
    "Explain {} to somebody who has never heard of it, and say why it matters to you.",
    "You keep a diary. Yesterday was a long day with many visitors, and it rained from morning until late. In the "
    "evening somebody told you a story, and you want to remember it well. Begin the entry with the weather, then write "
    "who came, what was eaten and what was said, and in the end tell the story. The story was about {}.",
)


def fifty_prompts() -> list[str]:
    return [task.format(topic) for topic in TOPICS for task in TASKS]
