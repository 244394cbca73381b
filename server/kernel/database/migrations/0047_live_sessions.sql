CREATE UNLOGGED TABLE "live_batches" (
	"sharing_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"last_fix_at_ms" bigint NOT NULL,
	"fixes" jsonb NOT NULL,
	CONSTRAINT "live_batches_sharing_id_number_pk" PRIMARY KEY("sharing_id","number")
);
--> statement-breakpoint
CREATE TABLE "live_sessions" (
	"code" text PRIMARY KEY NOT NULL,
	"track_id" text NOT NULL,
	"title" text,
	"visibility" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"drivers_so_far" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "live_sharings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"user_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"car_name" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "live_sharings_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "live_timings" (
	"sharing_id" uuid PRIMARY KEY NOT NULL,
	"batch_count" integer NOT NULL,
	"last_fix_at_ms" bigint NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"progress" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "live_sharings" ADD CONSTRAINT "live_sharings_code_live_sessions_code_fk" FOREIGN KEY ("code") REFERENCES "public"."live_sessions"("code") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_sharings" ADD CONSTRAINT "live_sharings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "live_sessions_track_index" ON "live_sessions" USING btree ("track_id");--> statement-breakpoint
CREATE INDEX "live_sharings_code_index" ON "live_sharings" USING btree ("code");