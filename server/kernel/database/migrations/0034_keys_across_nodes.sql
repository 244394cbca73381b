ALTER TABLE "notices" DROP CONSTRAINT "notices_event_fkey";
--> statement-breakpoint
ALTER TABLE "merged_tracks" DROP CONSTRAINT "merged_tracks_into_track_id_tracks_id_fk";
