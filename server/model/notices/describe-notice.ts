import type { Notice } from '#contract/notices/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import type { SignInChange } from './notice-kinds.ts';
import type { StoredNotice } from './notice-store.ts';

/** Describes a notice in words, with a link to its page. */
export function describeNotice(notice: StoredNotice): Notice {
  const { id, kind, createdAt, readAt } = notice;
  return {
    id,
    kind,
    createdAt: createdAt.toISOString(),
    isRead: readAt !== null,
    text: writeText(notice),
    link: writeLink(notice),
    ...(notice.kind === 'tracks_asked' && { wantedTrackSet: notice.payload.setName }),
  };
}

function writeText(notice: StoredNotice): string {
  const driver = notice.otherName ?? 'A driver';
  const track = notice.trackName ?? 'a track';
  switch (notice.kind) {
    case 'rank_lost': {
      const { rank, gapMs } = notice.payload;
      return `${driver} passed you at ${track} by ${formatSeconds(gapMs)}: you went from P${rank} to P${rank + 1}.`;
    }
    case 'record_lost':
      return `${driver} took the record at ${track} from you by ${formatSeconds(notice.payload.gapMs)}.`;
    case 'new_rival': {
      const { carName, gapMs } = notice.payload;
      return `${driver} joined the board of ${track} in your car, the ${carName}: ${describeGap(gapMs)}.`;
    }
    case 'lap_decided':
      return writeDecision(notice.payload, track);
    case 'lap_questioned': {
      const { lapTimeMs, question } = notice.payload;
      return `A moderator asks about your lap of ${formatLapTime(lapTimeMs)} at ${track}: ${question}`;
    }
    case 'lap_answered':
      return `${driver} answered about the lap of ${formatLapTime(notice.payload.lapTimeMs)} at ${track}.`;
    default:
      return writeNewsWithoutLap(notice, driver, track);
  }
}

type LapKind = 'rank_lost' | 'record_lost' | 'new_rival' | 'lap_decided' | 'lap_questioned' | 'lap_answered';

function writeNewsWithoutLap(
  notice: Exclude<StoredNotice, { kind: LapKind }>,
  driver: string,
  track: string,
): string {
  switch (notice.kind) {
    case 'sign_in_changed':
      return `${SIGN_IN_CHANGES[notice.payload.change]} ${IF_NOT_YOU}`;
    case 'file_refused':
      return `${driver} sent you a lap file that could not be read.`;
    case 'tracks_asked':
      return `${driver} asks you to get the tracks of ${notice.payload.title}.`;
    case 'tracks_fetched':
      return `The tracks of ${notice.payload.title} are here, as you asked. Choose your file again.`;
    case 'track_merged':
      return `${notice.payload.trackName} is ${track} now, and your laps have moved there.`;
    default:
      return writeProposal(notice, track);
  }
}

export const SIGN_IN_CHANGES: Record<SignInChange, string> = {
  'change-password': 'Your password was changed.',
  'prove-email': 'Your address was confirmed for the first time.',
  'reset-password': 'Your password was changed with a link.',
  'use-recovery-code': 'Your password was changed with a recovery code.',
  'make-recovery-codes': 'New recovery codes were made for your account.',
  'add-passkey': 'A passkey was added to your account.',
  'remove-passkey': 'A passkey was removed from your account.',
  'add-api-token': 'An API token was made for your account.',
  'link-provider': 'Another provider was linked to your account.',
  'unlink-provider': 'A provider was unlinked from your account.',
  'delete-account': 'Your account is to be deleted in seven days. Sign in until then to keep it.',
  'keep-account': 'Your account was to be deleted, and was kept.',
};

export const IF_NOT_YOU = 'If this was not you, sign out your other devices and tell an administrator.';

type Proposal = Extract<
  StoredNotice,
  { kind: 'proposal_approved' | 'proposal_corrected' | 'proposal_removed' }
>;

function writeProposal(notice: Proposal, track: string): string {
  if (notice.kind === 'proposal_removed') return writeRemoval(notice.payload);
  return notice.kind === 'proposal_corrected'
    ? `A moderator corrected ${track}, which you proposed.`
    : `Your proposal was approved: ${notice.payload.carName ?? track} is official now.`;
}

type Removal = Extract<StoredNotice, { kind: 'proposal_removed' }>['payload'];

function writeRemoval({ trackName, isProposer, hadLaps }: Removal): string {
  const removed = isProposer ? `${trackName}, which you proposed, was removed` : `${trackName} was removed`;
  return hadLaps
    ? `${removed}, with your laps on it. You can upload their files to another track.`
    : `${removed}.`;
}

type Decision = Extract<StoredNotice, { kind: 'lap_decided' }>['payload'];

function writeDecision({ verdict, lapTimeMs, reason }: Decision, track: string): string {
  const lap = `Your lap of ${formatLapTime(lapTimeMs)} at ${track}`;
  if (verdict === 'keep') return `${lap} was checked and counts.`;
  return reason === null ? `${lap} was rejected.` : `${lap} was rejected: ${reason}`;
}

function describeGap(gapMs: number): string {
  if (gapMs === 0) return 'as fast as you';
  return `${formatSeconds(Math.abs(gapMs))} ${gapMs > 0 ? 'behind' : 'ahead of'} you`;
}

/** Formats a gap in hundredths of a second, at least 0.01. */
function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10 ? 3 : 2)} s`;
}

const LINKS_WITHOUT_TRACK: Partial<Record<StoredNotice['kind'], string>> = {
  proposal_approved: '/garage/add',
  proposal_removed: '/upload',
  sign_in_changed: '/profile/edit/sign-in',
  tracks_asked: '/admin/import-tracks',
  tracks_fetched: '/upload',
  file_refused: '/club/operations',
};

/** Links to the comparison of two laps with the faster one as reference, else to the lap, else to the board. */
function writeLink(notice: StoredNotice): string | null {
  const { trackId, lapId, comparedLapId } = notice;
  if (notice.kind === 'lap_answered') return '/club/moderation';
  if (trackId === null) return LINKS_WITHOUT_TRACK[notice.kind] ?? null;
  const laps = [lapId, comparedLapId].filter((id) => id !== null);
  if (notice.kind === 'new_rival' && notice.payload.gapMs > 0) laps.reverse();
  const [first, second] = laps;
  if (first === undefined) return `/track/${trackId}`;
  return `/track/${trackId}?lap=${first}${second === undefined ? '' : `&vs=${second}`}`;
}
