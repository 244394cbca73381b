-- Evidence and questions about laps whose track was merged into another one still name the track that is gone.
-- Row by row: Citus changes no table of which every node has a copy by a join with laps.
DO $$
DECLARE
  stray record;
BEGIN
  FOR stray IN
    SELECT lap_evidence.id, lap_evidence.lap_id, lap_evidence.kind, laps.track_id
    FROM lap_evidence JOIN laps ON laps.id = lap_evidence.lap_id
    WHERE laps.track_id <> lap_evidence.track_id
    ORDER BY lap_evidence.granted_at DESC
  LOOP
    -- What was granted again since the merge stays.
    IF EXISTS (
      SELECT FROM lap_evidence
      WHERE track_id = stray.track_id AND lap_id = stray.lap_id AND kind = stray.kind
    ) THEN
      DELETE FROM lap_evidence WHERE id = stray.id;
    ELSE
      UPDATE lap_evidence SET track_id = stray.track_id WHERE id = stray.id;
    END IF;
  END LOOP;
  FOR stray IN
    SELECT lap_questions.id, laps.track_id
    FROM lap_questions JOIN laps ON laps.id = lap_questions.lap_id
    WHERE laps.track_id <> lap_questions.track_id
  LOOP
    UPDATE lap_questions SET track_id = stray.track_id WHERE id = stray.id;
  END LOOP;
END
$$;
