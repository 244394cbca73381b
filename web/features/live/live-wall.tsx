import Maximize2 from 'lucide-react/icons/maximize-2';
import Minimize2 from 'lucide-react/icons/minimize-2';
import Share2 from 'lucide-react/icons/share-2';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatClockAt } from '#web/ui/format.ts';
import { PageTitle } from '#web/ui/page.tsx';
import { BestSectors, JustNow } from './live-aside.tsx';
import { LiveList } from './live-list.tsx';
import { LiveMap } from './live-map.tsx';
import { LiveTable } from './live-table.tsx';
import type { LiveView } from './live-view.ts';
import { OwnSharing } from './own-sharing.tsx';
import { type LiveRow, NO_SIGNAL, type Order, pickPage, rankDrivers } from './standings.ts';
import { useServerNow } from './use-live-view.ts';
import styles from './live.module.css';

const ShareLiveDialog = lazy(async () => ({
  default: (await import('./share-live-dialog.tsx')).ShareLiveDialog,
}));

const TURN_PAGE_MS = 10_000;

/** Shows a live session: a table on wide screens, a list on phones, and everything at once on the screen of a paddock. */
export function LiveWall({ view, firstNow }: { view: LiveView; firstNow: number }) {
  const now = useServerNow(view, firstNow);
  const [order, setOrder] = useState<Order>('best');
  const [isOnTrackOnly, setIsOnTrackOnly] = useState(false);
  const { isBig, toggleBig } = useBigScreen();
  const { session, drivers, positions } = view;
  const rows = rankDrivers(drivers, order, now);
  const page = usePage(isBig, rows.length);
  const shown = isBig ? pickPage(rows, page) : { rows, pages: 1 };
  const sectorCount = session.track.sectors.length === 0 ? 0 : session.track.sectors.length + 1;
  const choose = (next: Order) => {
    setOrder(next);
    setIsOnTrackOnly(false);
  };
  return (
    <div className={classNames(styles['wall'], isBig && styles['big'])}>
      <WallHead view={view} rows={rows} now={now} isBig={isBig} onBig={toggleBig} />
      <div className={styles['columns']}>
        <div className={styles['main']}>
          <OrderSwitch
            order={order}
            isOnTrackOnly={isOnTrackOnly}
            onOrder={choose}
            onOnTrack={() => setIsOnTrackOnly(true)}
          />
          <LiveList rows={isOnTrackOnly ? rows.filter(({ isOnTrack }) => isOnTrack) : rows} />
          <LiveTable rows={shown.rows} sectorCount={sectorCount} order={order} onOrder={choose} />
        </div>
        <aside className={styles['aside']}>
          <LiveMap track={session.track} rows={rows} positions={positions} />
          <BestSectors drivers={drivers} />
          <JustNow drivers={drivers} timeZone={session.track.timeZone} />
        </aside>
      </div>
      <Legend page={page} pages={shown.pages} />
    </div>
  );
}

type WallHeadProps = {
  view: LiveView;
  rows: readonly LiveRow[];
  now: number;
  isBig: boolean;
  onBig: () => void;
};

function WallHead({ view: { session, hasEnded }, rows, now, isBig, onBig }: WallHeadProps) {
  const [isSharing, setIsSharing] = useState(false);
  const { name, configuration, timeZone } = session.track;
  const trackName = configuration ? `${name}, ${configuration}` : name;
  const onTrack = rows.filter(({ isOnTrack }) => isOnTrack).length;
  const inPits = rows.filter(({ driver, status }) => driver.state === 'pits' && status !== NO_SIGNAL).length;
  return (
    <header className={styles['head']}>
      <div className={styles['title']}>
        <p>{session.title ? trackName : 'Live session'}</p>
        <PageTitle documentTitle={`${session.title ?? name}, Live`}>{session.title ?? trackName}</PageTitle>
      </div>
      <dl className={styles['facts']}>
        <Fact name="On track" value={String(onTrack)} />
        <Fact name="In the pits" value={String(inPits)} />
        <Fact name="Time" value={formatClockAt(now, timeZone)} />
      </dl>
      <div className={styles['tools']}>
        <IconButton
          label="Share live session"
          icon={<Share2 size={20} aria-hidden="true" />}
          onClick={() => setIsSharing(true)}
        />
        <span className={styles['bigButton']}>
          <IconButton
            label={isBig ? 'Leave the big screen' : 'Show on a big screen'}
            icon={isBig ? <Minimize2 size={20} /> : <Maximize2 size={20} />}
            onClick={onBig}
          />
        </span>
      </div>
      {!hasEnded && <OwnSharing code={session.code} />}
      {hasEnded && (
        <output className={styles['ended']}>
          This live session has ended. Nothing of it is kept but the recordings of its drivers.
        </output>
      )}
      {isSharing && (
        <Suspense fallback={null}>
          <ShareLiveDialog code={session.code} onClose={() => setIsSharing(false)} />
        </Suspense>
      )}
    </header>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

type OrderSwitchProps = {
  order: Order;
  isOnTrackOnly: boolean;
  onOrder: (order: Order) => void;
  onOnTrack: () => void;
};

function OrderSwitch({ order, isOnTrackOnly, onOrder, onOnTrack }: OrderSwitchProps) {
  const choices = [
    { label: 'Best', isOn: order === 'best' && !isOnTrackOnly, choose: () => onOrder('best') },
    { label: 'Last', isOn: order === 'last' && !isOnTrackOnly, choose: () => onOrder('last') },
    { label: 'On track', isOn: isOnTrackOnly, choose: onOnTrack },
  ];
  return (
    <fieldset className={styles['switch']}>
      <legend className="visually-hidden">Order</legend>
      {choices.map(({ label, isOn, choose }) => (
        <button key={label} type="button" aria-pressed={isOn} onClick={choose}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function Legend({ page, pages }: { page: number; pages: number }) {
  return (
    <footer className={styles['legend']}>
      <span>
        <i className={styles['best']} />
        Best of the session
      </span>
      <span>
        <i className={styles['own']} />
        Own best
      </span>
      {pages > 1 && (
        <span>
          Page {(page % pages) + 1} of {pages}
        </span>
      )}
      <span className={styles['preview']}>Live times are a preview. The times of the recordings count.</span>
    </footer>
  );
}

/** Fills the whole screen, by the address or a tap; the browser's own full screen follows where it may. */
function useBigScreen(): { isBig: boolean; toggleBig: () => void } {
  const [search, setSearch] = useSearchParams();
  const isBig = search.get('screen') === 'big';
  const toggleBig = () => {
    setSearch(isBig ? {} : { screen: 'big' }, { replace: true });
    const request = isBig ? document.exitFullscreen?.() : document.documentElement.requestFullscreen?.();
    request?.catch(() => undefined);
  };
  return { isBig, toggleBig };
}

/** Counts up every ten seconds while there is more than one page. */
function usePage(isBig: boolean, rowCount: number): number {
  const [page, setPage] = useState(0);
  const turns = isBig && rowCount > 12;
  useEffect(() => {
    if (!turns) return undefined;
    const timer = window.setInterval(() => setPage((before) => before + 1), TURN_PAGE_MS);
    return () => window.clearInterval(timer);
  }, [turns]);
  return turns ? page : 0;
}
