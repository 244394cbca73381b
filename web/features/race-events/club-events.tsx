import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Facts } from '#web/ui/facts.tsx';
import { formatCount } from '#web/ui/format.ts';
import { eventHref } from '#web/ui/page-hrefs.ts';
import { pageFrom, Pager } from '#web/ui/pager.tsx';
import { FlagPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { Headings, Table, type Columns } from '#web/ui/table.tsx';
import common from '#web/ui/common.module.css';
import table from '#web/ui/table.module.css';
import { formatDays } from './describe-event.ts';
import { EventState } from './event-cards.tsx';
import { allEventsQuery } from './event-queries.ts';

const COLUMNS: Columns = { Event: '', Days: 'wide', Tracks: 'wide', State: '', Entries: 'number' };

export function prefetchClubEvents(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery(allEventsQuery(0));
}

/** Lists all events with their states, drafts too, for those who run the club. */
export function ClubEvents() {
  const [page, setPage] = useState(0);
  const { data, isError, refetch } = useQuery(allEventsQuery(page));
  if (isError && !data)
    return <FailedState title="The events could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <LoadingState>Loading events...</LoadingState>;
  if (data.total === 0)
    return (
      <EmptyState title="No events yet" picture={<FlagPicture />}>
        A new event is a draft: only those who run the club see it until you open the entries.
      </EmptyState>
    );
  return (
    <div className={common['list']}>
      <Table caption="Events of the club" head={<Headings columns={COLUMNS} />}>
        {data.events.map((event) => {
          const tracks = [...new Set(event.courses.map(({ name }) => name))];
          return (
            <tr key={event.id}>
              <th scope="row">
                <Link href={eventHref(event.id)}>{event.name}</Link>
                <span className={table['under']}>
                  <Facts facts={[formatDays(event), ...tracks]} />
                </span>
              </th>
              <td className={table['wide']}>{formatDays(event)}</td>
              <td className={table['wide']}>{tracks.join(', ')}</td>
              <td>
                <EventState event={event} />
              </td>
              <td className={table['number']}>{formatCount(event.entryCount)}</td>
            </tr>
          );
        })}
      </Table>
      <Pager
        noun="events"
        page={pageFrom(data.events, page, data.total)}
        total={data.total}
        onPage={setPage}
      />
    </div>
  );
}
