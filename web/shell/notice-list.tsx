import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'wouter';
import type { Notice } from '#contract/notices/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useWaiting } from '#web/api/waiting.ts';
import { refresh } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { pluralize } from '#web/ui/format.ts';
import { BellPicture } from '#web/ui/picture.tsx';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './notice-list.module.css';

type NoticeListProps = { onFollow: () => void };

/** Shows the latest notices. Those unread at the first fetch stay marked, and count as read from then on. */
export function NoticeList({ onFollow }: NoticeListProps) {
  const query = useQuery({
    ...apiQuery('GET /api/notices'),
    staleTime: 0,
  });
  const { data, dataUpdatedAt } = query;
  const notices = data?.notices;
  const latestUnread = notices?.find(({ isRead }) => !isRead)?.id;

  // If the call fails, the notices are shown as unread again.
  const { run } = useCall('PUT /api/notices/read', { inTurn: true });
  const markRead = useEffectEvent((untilId: number) => void run({ body: { untilId } }));
  useEffect(() => {
    if (latestUnread !== undefined) markRead(latestUnread);
  }, [latestUnread]);

  return (
    <>
      <div className={styles['head']}>
        <h2 className={styles['title']}>Notices</h2>
        <Link href="/profile/edit/notices" className={styles['settings']} onClick={onFollow}>
          Settings
        </Link>
      </div>
      <WaitingEntries onFollow={onFollow} />
      <QueryState noun="notices" query={query} />
      {notices?.length === 0 && (
        <EmptyState title="No notices yet" picture={<BellPicture />}>
          They come when somebody overtakes you, joins you in your car, or decides on a lap of yours.
        </EmptyState>
      )}
      <ul>
        {notices?.map((notice) => (
          <li key={notice.id}>
            <Entry notice={notice} nowMs={dataUpdatedAt} onFollow={onFollow} />
            {notice.wantedTrackSet !== undefined && <GetWantedTracks setName={notice.wantedTrackSet} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Says what waits for a decision of the user, with a link to each queue. */
function WaitingEntries({ onFollow }: NoticeListProps) {
  const { flags, appeals, tracks, cars } = useWaiting();
  const entries = [
    { count: flags, noun: 'flagged lap', href: '/club/moderation' },
    { count: appeals, noun: 'appeal', href: '/club/moderation?view=appeals' },
    { count: tracks, noun: 'proposed track', href: '/admin/import-tracks?tab=proposals' },
    { count: cars, noun: 'proposed car', href: '/admin/apex-import?tab=cars' },
  ].filter(({ count }) => count > 0);
  if (entries.length === 0) return null;
  return (
    <ul className={styles['waiting']} aria-label="Waiting for your decision">
      {entries.map(({ count, noun, href }) => (
        <li key={noun}>
          <Link href={href} className={styles['entry']} onClick={onFollow}>
            <span className={styles['dot']} data-new />
            <span className={styles['text']}>
              {pluralize(count, noun)} {count === 1 ? 'waits' : 'wait'} for a decision
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type EntryProps = NoticeListProps & { notice: Notice; nowMs: number };

function Entry({ notice: { text, link, createdAt, isRead }, nowMs, onFollow }: EntryProps) {
  const queryClient = useQueryClient();
  const content = (
    <>
      <span className={styles['dot']} data-new={!isRead || undefined}>
        {!isRead && <span className="visually-hidden">New: </span>}
      </span>
      <span className={styles['text']}>{text}</span>
      <time className={styles['when']} dateTime={createdAt}>
        {describeAge(nowMs - Date.parse(createdAt))}
      </time>
    </>
  );
  if (link === null) return <div className={styles['entry']}>{content}</div>;

  function follow(): void {
    onFollow();
    // If the page is open already, it shows data from before the notice.
    void refresh(['tracks', 'laps', 'admin'], queryClient);
  }

  return (
    <Link href={link} className={styles['entry']} onClick={follow}>
      {content}
    </Link>
  );
}

/** Gets the set that a driver asks for; the driver hears of it when it is here. */
function GetWantedTracks({ setName }: { setName: string }) {
  const { data } = useQuery(apiQuery('GET /api/track-sets'));
  const { run, isBusy } = useCall('POST /api/admin/track-sets/:setName/fetch', {
    success: ({ title }) => ({ title: 'Getting Tracks', description: `${title} is on its way.` }),
    failure: 'Could Not Get the Tracks',
  });
  const set = data?.sets.find(({ name }) => name === setName);
  if (set?.state !== 'absent' && set?.state !== 'failed') return null;
  return (
    <Button
      size="small"
      className={styles['answer']}
      pending={isBusy}
      onClick={() => void run({ params: { setName } })}
    >
      Get Tracks: {set.title}
    </Button>
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Describes an age: 'just now', '5 min ago', '3 h ago' or '2 d ago'. */
function describeAge(ageMs: number): string {
  if (ageMs < MINUTE_MS) return 'just now';
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  return `${Math.floor(ageMs / DAY_MS)} d ago`;
}
