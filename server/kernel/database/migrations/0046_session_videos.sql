CREATE TABLE "session_videos" (
	"track_id" text NOT NULL,
	"session_id" uuid NOT NULL,
	"key" text NOT NULL,
	"anchors" jsonb NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_videos_pkey" PRIMARY KEY("track_id","session_id","key")
);
--> statement-breakpoint
ALTER TABLE "session_videos" ADD CONSTRAINT "session_videos_session_fkey" FOREIGN KEY ("track_id","session_id") REFERENCES "public"."sessions"("track_id","id") ON DELETE cascade ON UPDATE no action;