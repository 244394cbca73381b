CREATE TABLE "change_positions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"position" "pg_lsn" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "change_positions" ADD CONSTRAINT "change_positions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;