import ShieldCheck from 'lucide-react/icons/shield-check';
import { Fragment } from 'react';
import { Link } from 'wouter';
import {
  formatCarName,
  EVIDENCE_LABELS,
  LAP_REASON_MESSAGES,
  type LapEvidence as LapEvidenceKind,
  tireLabel,
} from '#contract/laps/labels.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { isForBoards } from '#engine/timing/laps.ts';
import { Badge } from '#web/ui/badge.tsx';
import common from '#web/ui/common.module.css';
import { Facts } from '#web/ui/facts.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { profileHref } from '#web/ui/page-hrefs.ts';
import styles from './lap-card.module.css';

/** Shows car, tyres and day of a lap on one line. */
export function LapFacts({ lap }: { lap: LapView }) {
  const facts = [
    lap.carName ?? formatCarName(lap),
    lap.tireCompound && tireLabel(lap.tireCompound),
    formatLapDate(lap.sessionDate),
  ];
  return (
    <p className={common['note']}>
      <Facts facts={facts} />
    </p>
  );
}

/** Shows the evidence that a lap was driven. */
export function LapEvidence({ lap: { evidence } }: { lap: LapView }) {
  return (
    <p className={styles['evidence']}>
      {evidence.map((kind) => (
        <Badge key={kind} tone="outline">
          <ShieldCheck size={13} aria-hidden="true" />
          {EVIDENCE_LABELS[kind]}
        </Badge>
      ))}
    </p>
  );
}

const EVIDENCE_SENTENCES: Record<LapEvidenceKind, string> = {
  file: 'Timed here from the raw lap file',
  video: 'Its driver has linked a video. What the video shows was not compared',
  'video-gps': 'The GPS positions in a video that its driver recorded agree with it, along the whole lap',
  official: 'Confirmed from a published result',
};

/** The format of the file that the browser extracts from a GoPro video. */
const CAMERA_FORMAT = 'camera-csv';

/** Explains the evidence of a lap. */
export function EvidenceMeaning({ lap }: { lap: LapView }) {
  const { evidence, grantedEvidence, isOwn, source } = lap;
  const isPublic = lap.canBeCompared && !lap.isPrivate && isForBoards(lap);
  return (
    <p className={styles['words']}>
      {evidence.length === 0 && 'Timed by its logger: there is nothing to check it with.'}
      {evidence.map((kind) => {
        const from = grantedEvidence.find((granted) => granted.kind === kind)?.source;
        return (
          <Fragment key={kind}>
            {EVIDENCE_SENTENCES[kind]}
            {from !== undefined && <Source text={from} />}.{' '}
            {kind === 'file' && isPublic && 'Anybody can check it. '}
          </Fragment>
        );
      })}
      {isOwn &&
        source.format === CAMERA_FORMAT &&
        'These are the positions of a camera. They are evidence for the laps of your logger’s file that were driven at the same time. A video of other laps neither speaks for those nor against them.'}
    </p>
  );
}

/** Shows the source of evidence in brackets; a URL in it is a link. */
function Source({ text }: { text: string }) {
  const match = /https?:\/\/[^\s,;()]+/i.exec(text);
  if (!match) return ` (${text})`;
  const [url] = match;
  const after = text.slice(match.index + url.length);
  return (
    <>
      {' '}
      ({text.slice(0, match.index)}
      <a href={url} target="_blank" rel="noopener noreferrer nofollow">
        {url}
      </a>
      {after})
    </>
  );
}

/** Shows the driver of a lap with a link to the profile. */
export function LapDriver({ lap: { isOwn, driverId }, name }: { lap: LapView; name: string }) {
  return (
    <Link href={isOwn ? '/profile' : profileHref(driverId)} className={styles['driver']}>
      {name}
    </Link>
  );
}

const STATUS_LABELS = {
  valid: { label: 'Counts', tone: 'outline' },
  warning: { label: 'Counts, with a warning', tone: 'warn' },
  simulated: { label: 'Simulated', tone: 'neutral' },
  rejected: { label: 'Does not count', tone: 'bad' },
  incomplete: { label: 'Not complete', tone: 'neutral' },
} as const;

/** Shows whether a lap counts. */
export function StatusBadge({ status }: Pick<LapView, 'status'>) {
  const { label, tone } = STATUS_LABELS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Shows whether a lap counts, and the reasons if it does not or has a warning. */
export function LapStatus({ lap: { status, reasons } }: { lap: LapView }) {
  return (
    <div className={styles['status']}>
      <StatusBadge status={status} />
      {reasons.map((reason) => (
        <p key={reason}>{LAP_REASON_MESSAGES[reason]}</p>
      ))}
    </div>
  );
}
