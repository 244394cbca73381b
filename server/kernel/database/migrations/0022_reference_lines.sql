CREATE TABLE "reference_lines" (
	"track_id" text PRIMARY KEY NOT NULL,
	"line" "bytea" NOT NULL,
	"lap_ids" uuid[] NOT NULL,
	"engine_version" text NOT NULL,
	"track_defined_at" timestamp with time zone NOT NULL,
	"built_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reference_lines" ADD CONSTRAINT "reference_lines_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;