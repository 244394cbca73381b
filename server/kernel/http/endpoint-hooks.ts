import type { FastifyRequest } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import type { AuditAction } from '#contract/audit/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';

/** An audit entry says who did what (`userId` is null for a guest), and these details. */
export type AuditDetails = {
  /** The id of what it was done to, where that is one thing. */
  subject?: string;
  /** Rows by what came of them; none by default. */
  counts?: Record<string, number>;
  /** Values before and after, by the name of the field. */
  changes?: Record<string, [string | null, string | null]>;
};

/** Writes the audit entry of a call. Call it in the transaction that makes the change. */
export type WriteAudit<More = unknown> = (tx: Database, details: AuditDetails & More) => Promise<void>;

/** The guarantees of endpoints that the kernel cannot keep by itself, since sign-ins and the audit log lie outside of it. */
export type EndpointHooks = {
  /** Sets who makes the call, as at its beginning. */
  authenticate: (request: FastifyRequest) => Promise<void>;
  /** @throws AppError `confirmation_needed` with the sentence, `not_signed_in` for a call with an API token */
  requireRecentSignIn: (request: FastifyRequest, sentence: string | undefined) => Promise<void>;
  insertAuditEntry: (
    tx: Database,
    entry: AuditDetails & { userId: UserId | null; action: AuditAction; counts: Record<string, number> },
  ) => Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** The app sets them before it serves the first endpoint. */
    endpointHooks: EndpointHooks;
  }
}
