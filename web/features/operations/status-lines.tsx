import { useQuery, type QueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import list from '#web/ui/row-list.module.css';
import {
  describeBackups,
  describeMail,
  describeServer,
  describeWebhooks,
  type Mark,
  type Status,
} from './describe-status.ts';
import styles from './status-lines.module.css';

const QUERIES = {
  server: { ...apiQuery('GET /api/admin/operations'), staleTime: 0 },
  backups: { ...apiQuery('GET /api/admin/backups'), staleTime: 0 },
  mail: apiQuery('GET /api/admin/mail'),
  webhooks: { ...apiQuery('GET /api/admin/webhooks'), staleTime: 0 },
};

export function prefetchStatus(queryClient: QueryClient): Promise<void>[] {
  return [
    queryClient.prefetchQuery(QUERIES.server),
    queryClient.prefetchQuery(QUERIES.backups),
    queryClient.prefetchQuery(QUERIES.mail),
    queryClient.prefetchQuery(QUERIES.webhooks),
  ];
}

const MARKS: Record<Mark, { Icon: typeof CircleCheck; label: string }> = {
  good: { Icon: CircleCheck, label: 'Good' },
  warning: { Icon: TriangleAlert, label: 'Needs attention' },
  off: { Icon: CircleDashed, label: 'Off' },
};

type StatusLinesProps = {
  title: string;
  /** True for a line that leads to the settings of the club, which only owners change. */
  withClub?: boolean;
};

/** Shows in a line each whether the server, its backups, mail and webhooks are in order, with a button to what can be done. */
export function StatusLines({ title, withClub = false }: StatusLinesProps) {
  const { user } = useCurrentUser();
  const server = useQuery(QUERIES.server);
  const backups = useQuery(QUERIES.backups);
  const mail = useQuery(QUERIES.mail);
  const webhooks = useQuery(QUERIES.webhooks);
  return (
    <section aria-label={title} className={list['section']}>
      <h2>{title}</h2>
      <ul className={classNames(list['rows'], styles['lines'])}>
        <Line name="Server" open="server" {...read(server, describeServer)} />
        <Line
          name="Backups"
          open="backups"
          {...read(backups, (data) => describeBackups(data, backups.dataUpdatedAt))}
        />
        <Line name="Mail" open="mail" {...read(mail, describeMail)} />
        <Line name="Webhooks" open="webhooks" {...read(webhooks, describeWebhooks)} />
        {withClub && user?.role === 'owner' && (
          <Line
            name="Club"
            open="club"
            status={{ mark: 'good', text: 'Name, time zone, who may join, simulators and samples.' }}
          />
        )}
      </ul>
    </section>
  );
}

type Read = { status: Status | null; onRetry?: () => void };

function read<Data>(
  { data, isError, refetch }: { data: Data | undefined; isError: boolean; refetch: () => Promise<unknown> },
  describe: (data: Data) => Status,
): Read {
  if (isError)
    return {
      status: { mark: 'warning', text: 'The state could not be loaded.' },
      onRetry: () => void refetch(),
    };
  return { status: data === undefined ? null : describe(data) };
}

/** The line is as high before its state is known, so that nothing moves. */
function Line({ name, open, status, onRetry }: Read & { name: string; open: string }) {
  const mark = status && MARKS[status.mark];
  const action = status?.mark === 'good' ? 'Details' : 'Set up';
  return (
    <li data-mark={status?.mark}>
      <span className={styles['mark']}>
        {mark && (
          <>
            <mark.Icon size={22} aria-hidden="true" />
            <span className="visually-hidden">{mark.label}</span>
          </>
        )}
      </span>
      <b>{name}</b>
      <p>{status?.text}</p>
      {onRetry ? (
        <Button size="small" onClick={onRetry} aria-label={`Retry: ${name}`}>
          Retry
        </Button>
      ) : (
        <ButtonLink size="small" href={`/club/operations?open=${open}`} aria-label={`${action}: ${name}`}>
          {action}
        </ButtonLink>
      )}
    </li>
  );
}
