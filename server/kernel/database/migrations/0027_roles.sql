ALTER TABLE "users" ADD COLUMN "role" text DEFAULT 'member' NOT NULL;--> statement-breakpoint
UPDATE "users" SET "role" = 'admin' WHERE "is_admin";--> statement-breakpoint
UPDATE "users" SET "role" = 'owner' WHERE "id" = (SELECT "id" FROM "users" WHERE "is_admin" ORDER BY "created_at", "id" LIMIT 1);--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "is_admin";
