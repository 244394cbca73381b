CREATE TABLE "car_models" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"make" text NOT NULL,
	"model_family" text NOT NULL,
	"variant" text NOT NULL,
	"generation" text NOT NULL,
	"model_key" text NOT NULL,
	"model_display" text NOT NULL,
	"years" text,
	"drivetrain" text,
	"race_class" text,
	"search_text" text NOT NULL,
	CONSTRAINT "car_models_model_key_key" UNIQUE("model_key")
);
--> statement-breakpoint
CREATE TABLE "lap_files" (
	"sha256" text PRIMARY KEY NOT NULL,
	"storage_key" text NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"byte_count" bigint NOT NULL,
	"format" text NOT NULL,
	"uploaded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lap_files_storage_key_key" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "laps" (
	"track_id" text NOT NULL,
	"session_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"user_car_id" uuid,
	"lap_time_ms" integer NOT NULL,
	"uncertainty_ms" integer NOT NULL,
	"status" text NOT NULL,
	"reasons" text[] NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"sector_times_ms" integer[] NOT NULL,
	CONSTRAINT "laps_pkey" PRIMARY KEY("track_id","session_id","number")
);
--> statement-breakpoint
CREATE TABLE "loaded_libraries" (
	"name" text PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"loaded_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"track_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"user_car_id" uuid,
	"tire_compound" text,
	"video_url" text,
	"started_at" timestamp with time zone NOT NULL,
	"session_date" text NOT NULL,
	"gps_rate_hz" double precision,
	"dropped_counts" jsonb NOT NULL,
	"engine_version" text NOT NULL,
	"lap_file_sha256" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_pkey" PRIMARY KEY("track_id","id")
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"token_sha256" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracks" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"location" text,
	"configuration" text,
	"country" text,
	"length_meters" double precision,
	"status" text NOT NULL,
	"radius_meters" double precision NOT NULL,
	"center_lat" double precision NOT NULL,
	"center_lon" double precision NOT NULL,
	"start_finish_line" jsonb,
	"sectors" jsonb NOT NULL,
	"outline" jsonb,
	"thin_outline" jsonb,
	"time_zone" text NOT NULL,
	"defined_at" timestamp with time zone DEFAULT now() NOT NULL,
	"board_version" bigint DEFAULT 0 NOT NULL,
	"entry_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_cars" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"car_model_id" uuid NOT NULL,
	"nickname" text,
	"photo_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"full_name" text,
	"display_name" text,
	"email" text,
	"email_verified" boolean DEFAULT false NOT NULL,
	"picture_url" text,
	"email_updates" boolean DEFAULT false NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_issuer_subject_key" UNIQUE("issuer","subject")
);
--> statement-breakpoint
ALTER TABLE "lap_files" ADD CONSTRAINT "lap_files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "laps" ADD CONSTRAINT "laps_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "laps" ADD CONSTRAINT "laps_user_car_id_user_cars_id_fk" FOREIGN KEY ("user_car_id") REFERENCES "public"."user_cars"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "laps" ADD CONSTRAINT "laps_session_fkey" FOREIGN KEY ("track_id","session_id") REFERENCES "public"."sessions"("track_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_track_id_tracks_id_fk" FOREIGN KEY ("track_id") REFERENCES "public"."tracks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_car_id_user_cars_id_fk" FOREIGN KEY ("user_car_id") REFERENCES "public"."user_cars"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_lap_file_sha256_lap_files_sha256_fk" FOREIGN KEY ("lap_file_sha256") REFERENCES "public"."lap_files"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_cars" ADD CONSTRAINT "user_cars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_cars" ADD CONSTRAINT "user_cars_car_model_id_car_models_id_fk" FOREIGN KEY ("car_model_id") REFERENCES "public"."car_models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "car_models_names_index" ON "car_models" USING btree ("make","model_family","variant","generation");--> statement-breakpoint
CREATE INDEX "lap_files_user_index" ON "lap_files" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "laps_ranking_index" ON "laps" USING btree ("track_id","lap_time_ms","started_at") WHERE status in ('valid', 'warning');--> statement-breakpoint
CREATE INDEX "laps_driver_ranking_index" ON "laps" USING btree ("track_id","user_id","lap_time_ms","started_at") WHERE status in ('valid', 'warning');--> statement-breakpoint
CREATE INDEX "laps_user_index" ON "laps" USING btree ("user_id","track_id");--> statement-breakpoint
CREATE INDEX "laps_user_car_index" ON "laps" USING btree ("user_car_id");--> statement-breakpoint
CREATE INDEX "sessions_user_index" ON "sessions" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE INDEX "sessions_user_car_index" ON "sessions" USING btree ("user_car_id");--> statement-breakpoint
CREATE INDEX "sessions_lap_file_index" ON "sessions" USING btree ("lap_file_sha256");--> statement-breakpoint
CREATE INDEX "sign_ins_user_index" ON "sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_ins_expiry_index" ON "sign_ins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "user_cars_user_index" ON "user_cars" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_display_name_index" ON "users" USING btree ("display_name");--> statement-breakpoint
CREATE INDEX "users_full_name_index" ON "users" USING btree ("full_name");