CREATE TABLE "mail_settings" (
	"is_only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"security" text NOT NULL,
	"user_name" text NOT NULL,
	"sealed_password" text,
	"sender" text NOT NULL
);
