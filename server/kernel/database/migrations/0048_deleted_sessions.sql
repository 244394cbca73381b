CREATE TABLE "deleted_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"track_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"storage_key" text NOT NULL,
	"rows" jsonb NOT NULL,
	"deleted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deleted_sessions" ADD CONSTRAINT "deleted_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_sessions_user_index" ON "deleted_sessions" USING btree ("user_id");