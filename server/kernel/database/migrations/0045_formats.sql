ALTER TABLE "users" ADD COLUMN "units" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "dates" text;