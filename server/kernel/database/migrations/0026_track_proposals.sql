CREATE TABLE "merged_tracks" (
	"id" text PRIMARY KEY NOT NULL,
	"into_track_id" text NOT NULL,
	"merged_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "track_proposals" (
	"track_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"proposed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "merged_tracks" ADD CONSTRAINT "merged_tracks_into_track_id_tracks_id_fk" FOREIGN KEY ("into_track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_proposals" ADD CONSTRAINT "track_proposals_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "track_proposals" ADD CONSTRAINT "track_proposals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merged_tracks_into_index" ON "merged_tracks" USING btree ("into_track_id");--> statement-breakpoint
CREATE INDEX "track_proposals_user_index" ON "track_proposals" USING btree ("user_id");--> statement-breakpoint
-- Who proposed the tracks of before is in the audit log alone.
INSERT INTO "track_proposals" ("track_id", "user_id", "proposed_at")
SELECT DISTINCT ON ("tracks"."id") "tracks"."id", "users"."id", "audit_log"."at"
FROM "tracks"
JOIN "audit_log" ON "audit_log"."action" = 'propose-track' AND "audit_log"."subject" = "tracks"."id"
LEFT JOIN "users" ON "users"."id" = "audit_log"."user_id"
ORDER BY "tracks"."id", "audit_log"."at";
