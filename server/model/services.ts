import type { Config } from '#server/kernel/config/config.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import type { Storage, UploadAddresses } from '#server/kernel/storage/storage.ts';
import type { PublishedSets } from '#server/model/track-sets/published-sets.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';

/** The settings that features read, of all there are. */
export type AppSettings = Pick<
  Config,
  | 'publicUrl'
  | 'adminEmails'
  | 'oidc'
  | 'hasOwnAccounts'
  | 'registration'
  | 'trustProxy'
  | 'driverQuotaBytes'
  | 'mapTiles'
  | 'mail'
  | 'updateUrl'
  | 'backupTarget'
  | 'webhookLoopback'
> & {
  version: string;
  /** Signs short-lived cookies; the same for all copies of the server. */
  cookieSecret: string;
};

/** The services that every feature may use. Each route module takes them as its second argument. */
export type Services = {
  settings: AppSettings;
  database: OpenDatabase;
  storage: Storage;
  /** Reads lap files in threads: `startLapWorkers()`. */
  lapWorkers: LapWorkers;
  /** Folder for files on their way in, on the disk of the storage. It must exist, and nothing in it outlives a start. */
  incomingFolder: string;
  /** Signs the URLs that images are sent to. */
  uploadUrls: UploadAddresses;
  adminEmails: ReadonlySet<string>;
  /** Keeps backups; null where none are made. */
  backupTarget: { name: string; storage: Storage } | null;
  publishedSets: PublishedSets;
  /** Removes the file with the set-up link, which has been used. */
  deleteSetUpLink: () => Promise<void>;
  /** Tells whether this copy of the server is stopping and only answers until load balancers have noticed. */
  isDraining: () => boolean;
  /** The server looks at open streams of notices so often. */
  noticePollMs: number;
};
