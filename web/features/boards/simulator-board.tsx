import { keepPreviousData, useQuery, type QueryClient } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import { formatCarName } from '#contract/laps/labels.ts';
import type { SimulatedRecord } from '#contract/boards/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { BoardPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import { Headings, Table, type Columns } from '#web/ui/table.tsx';
import table from '#web/ui/table.module.css';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { BoardSkeleton } from './board-table.tsx';
import styles from './simulator-board.module.css';
import { TrackBoard, TrackBoardSkeleton } from './track-board.tsx';

const simulatorBoardQuery = (trackId: TrackId, raceClass = '') =>
  apiQuery('GET /api/laps/track/:trackId/simulated', { params: { trackId }, query: { raceClass } });

/** Fetches the simulator board with the page, so that its tab does not move the board later. */
export function prefetchSimulatorBoard(queryClient: QueryClient, trackId: TrackId): Promise<void> {
  return queryClient.prefetchQuery(simulatorBoardQuery(trackId));
}

type BoardsProps = { trackId: TrackId; trackName: string };

/** Shows the board of a track, with the board of simulators beside it where an owner has switched it on or where there are samples. */
export function Boards({ trackId, trackName }: BoardsProps) {
  const [search] = useSearchParams();
  const { data, isPending } = useQuery(simulatorBoardQuery(trackId));
  if (isPending) return <TrackBoardSkeleton />;
  if (!data || !(data.isOn || data.records.length > 0)) return <TrackBoard {...{ trackId, trackName }} />;
  const isSimulated = search.has('simulated');
  const path = trackHref(trackId);
  return (
    <>
      <nav aria-label="Boards of this track" className={styles['links']}>
        <Link href={path} className={styles['link']} aria-current={isSimulated ? undefined : 'page'}>
          Real laps
        </Link>
        <Link
          href={`${path}?simulated`}
          className={styles['link']}
          aria-current={isSimulated ? 'page' : undefined}
        >
          {data.isOn ? 'Simulator' : 'Samples'}
        </Link>
      </nav>
      {isSimulated ? (
        <SimulatorBoard {...{ trackId, trackName }} />
      ) : (
        <TrackBoard {...{ trackId, trackName }} />
      )}
    </>
  );
}

const COLUMNS: Columns = { '#': 'number', Driver: '', 'Lap time': 'number', Date: 'wide' };

function SimulatorBoard({ trackId, trackName }: BoardsProps) {
  const [search, setSearch] = useSearchParams();
  const raceClass = search.get('raceClass') ?? '';
  const { data, isError, refetch } = useQuery({
    ...simulatorBoardQuery(trackId, raceClass),
    placeholderData: keepPreviousData,
  });
  const { raceClasses = [] } = data ?? {};
  const choose = (chosen: string) =>
    setSearch({ simulated: '', ...(chosen !== '' && { raceClass: chosen }) }, { replace: true });
  return (
    <>
      {raceClasses.length > 0 && (
        <div className={styles['filter']}>
          <SelectField
            compact
            label="Race Class"
            name="raceClass"
            autoComplete="off"
            value={raceClass}
            isSet={raceClass !== ''}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <option value="">All</option>
            {[...new Set([...raceClasses, raceClass])].filter(Boolean).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        </div>
      )}
      {data === undefined ? (
        <Card>
          {isError ? (
            <FailedState title="The board could not be loaded." onRetry={() => void refetch()} />
          ) : (
            <BoardSkeleton />
          )}
        </Card>
      ) : (
        <SimulatedRecords {...{ trackId, trackName, raceClass }} records={data.records} />
      )}
    </>
  );
}

type SimulatedRecordsProps = BoardsProps & { raceClass: string; records: readonly SimulatedRecord[] };

function SimulatedRecords({ trackId, trackName, raceClass, records }: SimulatedRecordsProps) {
  if (records.length === 0)
    return <Card>{raceClass === '' ? <NoSimulatedLaps /> : <NoneOfClass raceClass={raceClass} />}</Card>;
  return (
    <Table caption={`Fastest simulated laps at ${trackName}`} head={<Headings columns={COLUMNS} />}>
      {records.map((record) => (
        <SimulatorRow key={record.lapId} trackId={trackId} record={record} />
      ))}
    </Table>
  );
}

function NoSimulatedLaps() {
  return (
    <EmptyState title="No simulated laps yet" picture={<BoardPicture />}>
      Recordings of simulators rank here, and never with real laps.
    </EmptyState>
  );
}

function NoneOfClass({ raceClass }: { raceClass: string }) {
  return (
    <EmptyState title="No simulated laps in this class">{`No lap in a car of ${raceClass}.`}</EmptyState>
  );
}

function SimulatorRow({ trackId, record }: { trackId: TrackId; record: SimulatedRecord }) {
  const { rank, isSample, userName, lapId, lapTimeMs, sessionDate } = record;
  return (
    <tr>
      <td className={table['number']}>{rank ?? '–'}</td>
      <th scope="row">
        <span className={styles['driver']}>
          {userName}
          <span className={styles['car']}>{formatCarName(record)}</span>
          <Badge>{isSample ? 'Sample' : 'Simulated'}</Badge>
        </span>
      </th>
      <td className={table['number']}>
        <LapTimeLink trackId={trackId} lapId={lapId} lapTimeMs={lapTimeMs} />
      </td>
      <td className={table['wide']}>{formatLapDate(sessionDate)}</td>
    </tr>
  );
}
