CREATE TABLE "corner_names" (
	"track_id" text PRIMARY KEY NOT NULL,
	"names" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "corner_names" ADD CONSTRAINT "corner_names_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;