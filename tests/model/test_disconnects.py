"""Clients of a real model that leave at random moments. Five hundred of them are a bar; here are a few."""

from support.disconnects import Storm


def test_lanes_are_free_within_two_steps(server):
    storm = Storm(server, lanes=8, seed=1, long_words=800)
    storm.run(40)
    storm.close()
    assert storm.late() == []
