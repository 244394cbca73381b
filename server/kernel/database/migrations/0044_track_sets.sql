CREATE TABLE "courses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"set_name" text NOT NULL,
	"name" text NOT NULL,
	"configuration" text,
	"location" text,
	"country" text,
	"length_meters" double precision NOT NULL,
	"center_lat" double precision NOT NULL,
	"center_lon" double precision NOT NULL,
	"radius_meters" double precision NOT NULL,
	"outline" jsonb NOT NULL,
	"origin" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "track_set_requests" (
	"set_name" text NOT NULL,
	"user_id" uuid NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "track_set_requests_set_name_user_id_pk" PRIMARY KEY("set_name","user_id")
);
--> statement-breakpoint
CREATE TABLE "track_sets" (
	"name" text PRIMARY KEY NOT NULL,
	"commit" text NOT NULL,
	"state" text NOT NULL,
	"progress_done" bigint DEFAULT 0 NOT NULL,
	"progress_total" bigint,
	"problem" text,
	"result" jsonb,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tracks" ADD COLUMN "origin" jsonb;--> statement-breakpoint
ALTER TABLE "track_set_requests" ADD CONSTRAINT "track_set_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "courses_set_index" ON "courses" USING btree ("set_name");--> statement-breakpoint
CREATE INDEX "track_set_requests_user_index" ON "track_set_requests" USING btree ("user_id");