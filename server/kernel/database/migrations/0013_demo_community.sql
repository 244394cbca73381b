CREATE TABLE "demo_community" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"state" text NOT NULL,
	"began_at" timestamp with time zone NOT NULL
);
