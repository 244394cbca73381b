ALTER TABLE "tracks" ADD COLUMN "proposed_by" uuid;--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "proposed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tracks" ADD CONSTRAINT "tracks_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;