import { useMemo } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { LapLink, LapView } from '#contract/lap-view/schemas.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference, formatSeconds } from '#web/ui/format.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FailedState } from '#web/ui/state-message.tsx';
import table from '#web/ui/table.module.css';
import { CheckTime } from './check-time.tsx';
import tables from './comparison-tables.module.css';
import { DistanceTable } from './comparison-tables.tsx';
import { DrivenCornerTable } from './corner-tables.tsx';
import { Evidence } from './evidence.tsx';
import { compareFasterFirst, writeLapUrl, type LapUrl } from './lap-url.ts';
import { EvidenceMeaning, LapDriver, LapEvidence, LapFacts, LapStatus } from './lap-card.tsx';
import { useLapCursor } from './lap-cursor.ts';
import { FlagLap, OfficialLap, OwnLapFlags } from './lap-flags.tsx';
import { type LapColumns, useTrace } from './lap-queries.ts';
import { NameCorners } from './name-corners.tsx';
import { LAP_STROKES } from './shown-laps.ts';
import styles from './single-lap.module.css';

/** Shows one lap with its figures, its line and speeds, and the laps that it can be compared with. */
export function SingleLap({ trackId, lap }: { trackId: string; lap: LapView }) {
  return (
    <>
      <div className={styles['cards']}>
        <Card padded={false} className={styles['card']}>
          <LapDriver lap={lap} />
          <LapFacts lap={lap} />
          <LapEvidence lap={lap} />
          <LapStatus lap={lap} />
          <EvidenceMeaning lap={lap} />
          <CheckTime lap={lap} />
          <FlagLap lap={lap} />
          <OfficialLap lap={lap} />
        </Card>
        <UncertaintyCard lap={lap} />
        <RankCard lap={lap} />
      </div>
      <OwnLapFlags lap={lap} />
      {lap.canBeCompared && <CompareLinks lap={lap} />}
      <PrivacyNote lap={lap} />
      {lap.canBeCompared && <TracedLap trackId={trackId} lap={lap} />}
      <Sectors lap={lap} />
    </>
  );
}

const PARTS = [
  ['noiseMs', 'Noise of the positions'],
  ['driftMs', 'Drift of the receiver'],
  ['interpolationMs', 'Between two positions'],
  ['clockMs', 'Clock'],
] as const;

/** Shows the uncertainty of the time and its causes. */
function UncertaintyCard({ lap: { uncertaintyMs, uncertaintyParts, source } }: { lap: LapView }) {
  const rate = source.gpsRateHz === null ? '' : ` at ${Math.round(source.gpsRateHz)} Hz`;
  return (
    <Card padded={false} className={styles['card']}>
      <p className={styles['label']}>Uncertainty</p>
      <p className={styles['figure']}>{formatUncertainty(uncertaintyMs)} s</p>
      {uncertaintyParts && (
        <dl className={styles['parts']}>
          {PARTS.map(([part, label]) => (
            <div key={part}>
              <dt>{label}</dt>
              <dd>{formatUncertainty(uncertaintyParts[part])}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className={styles['note']}>
        {source.format}
        {rate}
      </p>
    </Card>
  );
}

/** Shows the rank on the board, with the drivers ahead and behind. */
function RankCard({ lap: { place, driverBest } }: { lap: LapView }) {
  if (!place) {
    return (
      <Card padded={false} className={styles['card']}>
        <p className={styles['label']}>Best lap of this driver here</p>
        {driverBest ? <Neighbour link={driverBest} words="" /> : <p className={styles['figure']}>—</p>}
      </Card>
    );
  }
  const { rank, drivers, ahead, behind } = place;
  return (
    <Card padded={false} className={styles['card']}>
      <p className={styles['label']}>Place</p>
      <p className={styles['figure']}>
        {rank} <small>of {drivers}</small>
      </p>
      {ahead && <Neighbour link={ahead} words="ahead" />}
      {behind && <Neighbour link={behind} words="behind" />}
    </Card>
  );
}

function Neighbour({ link, words }: { link: LapLink; words: 'ahead' | 'behind' | '' }) {
  const hrefTo = useLapHref();
  return (
    <p className={styles['neighbour']}>
      <Link href={hrefTo({ lapId: link.lapId, otherIds: [] })}>{link.userName}</Link>
      <span>
        {formatSeconds(Math.abs(link.gapMs))} s {words}
      </span>
    </p>
  );
}

function CompareLinks({ lap }: { lap: LapView }) {
  const hrefTo = useLapHref();
  const { place, ownBest, recordInCar, record, isOwn } = lap;
  const choices = [
    [place?.ahead, 'Compare with the driver ahead'],
    [ownBest, 'with my best'],
    [recordInCar, isOwn ? 'with the record in my car' : 'with the record in this car'],
    [record, 'with the record'],
  ] as const;
  const seen = new Set([lap.lapId]);
  const offered = choices.flatMap(([link, words]) => {
    if (!link || seen.has(link.lapId)) return [];
    seen.add(link.lapId);
    return [{ words, href: hrefTo(compareFasterFirst(lap, link)) }];
  });
  if (offered.length === 0) return null;
  return (
    <nav aria-label="Compare this lap" className={styles['compare']}>
      {offered.map(({ words, href }, index) => (
        <ButtonLink key={words} href={href} variant={index === 0 ? 'primary' : 'secondary'}>
          {words.startsWith('Compare') ? words : `Compare ${words}`}
        </ButtonLink>
      ))}
    </nav>
  );
}

/** Explains which data private lines hide, and from which users. */
function PrivacyNote({ lap: { isPrivate, isOwn, userName } }: { lap: LapView }) {
  if (!isPrivate) return null;
  return (
    <p className={styles['private']}>
      {isOwn
        ? 'Your lines are private: others see time and sectors of this lap, but neither map nor speeds.'
        : `${userName} keeps the lines of this lap private: it shows its time and sectors, and cannot be compared.`}
    </p>
  );
}

function TracedLap({ trackId, lap }: { trackId: string; lap: LapView }) {
  const { data, isError, refetch } = useTrace(trackId, lap);
  if (isError) return <FailedState title="The line could not be loaded." onRetry={() => void refetch()} />;
  return data ? <Lines lap={lap} trace={data} /> : <Skeleton height={560} />;
}

function Lines({ lap, trace }: { lap: LapView; trace: LapColumns }) {
  const { meters, timesMs, speedsKmh, corners } = trace;
  const stations = useMemo(() => ({ ...trace, elapsedMs: timesMs }), [trace, timesMs]);
  const laps = useMemo(
    () => [
      {
        lapId: lap.lapId,
        driver: lap.isOwn ? 'You' : lap.userName,
        stroke: LAP_STROKES[0],
        speedsKmh,
        gap: null,
      },
    ],
    [lap, speedsKmh],
  );
  const cursor = useLapCursor(meters, 0);
  return (
    <>
      <Evidence {...{ stations, laps, cursor, corners }} active={null} />
      <DrivenCornerTable corners={corners}>
        <NameCorners trackId={lap.trackId} corners={corners} stations={stations} />
      </DrivenCornerTable>
      <DistanceTable meters={meters} laps={laps} />
    </>
  );
}

/** Compares the sectors with the record and the viewer's own best. */
function Sectors({ lap }: { lap: LapView }) {
  const { sectorTimesMs, sectorNames, lapId } = lap;
  if (sectorTimesMs.length < 2) return null;
  const others = [
    { name: 'Record', link: lap.record },
    { name: 'Your best', link: lap.ownBest },
  ].flatMap(({ name, link }) => (link && link.lapId !== lapId ? [{ name, link }] : []));
  return (
    <Card as="section" padded={false} className={tables['card']}>
      <h2 className={tables['heading']}>Sectors</h2>
      <table className={classNames(table['table'], tables['figures'])}>
        <caption className="visually-hidden">Sectors against the record and your best lap</caption>
        <thead>
          <tr>
            <th scope="col">Sector</th>
            <th scope="col">Time</th>
            {others.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sectorNames.map((name, sector) => {
            const timeMs = sectorTimesMs[sector] ?? null;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{timeMs === null ? '—' : formatSeconds(timeMs)}</td>
                {others.map((other) => {
                  const otherMs = other.link.sectorTimesMs[sector] ?? null;
                  return (
                    <td key={other.name}>
                      {otherMs === null ? '—' : formatSeconds(otherMs)}
                      {timeMs !== null && otherMs !== null && (
                        <span className={table['part']}>{formatDifference(timeMs - otherMs)}</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

/** Writes the URL of laps on this page; the filters of its board stay. */
function useLapHref(): (lapUrl: LapUrl) => string {
  const [path] = useLocation();
  const [search] = useSearchParams();
  return (lapUrl) => `${path}?${writeLapUrl(search, lapUrl).toString()}`;
}
