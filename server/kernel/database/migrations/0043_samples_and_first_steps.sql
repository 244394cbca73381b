ALTER TABLE "club_settings" ADD COLUMN "has_samples" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "club_settings" ADD COLUMN "hides_first_steps" boolean DEFAULT false NOT NULL;