import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import X from 'lucide-react/icons/x';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import {
  changeFilter,
  countFilters,
  emptyFilter,
  FILTER_NAMES,
  filterChips,
  type FilterName,
  type BoardFilter,
} from './board-filter.ts';
import styles from './filter-bar.module.css';
import { FilterFields, listShownNames } from './filter-fields.tsx';
import { useFilterOptions, type FilterOptions } from './filter-options.ts';

type FilterBarProps = {
  trackId: TrackId;
  filter: BoardFilter;
  onChange: (filter: BoardFilter) => void;
  /** The label on the button of the sheet, such as '58 Laps'. */
  resultText: string;
  /** The actions at the end of the row. */
  children: ReactNode;
  /** The actions that phones show, next to the button of the sheet. */
  phoneActions: ReactNode;
};

/** Shows the filters: the usual ones in a row, others behind 'More', on phones all in a sheet, with chips. */
export function FilterBar({ trackId, filter, onChange, resultText, children, phoneActions }: FilterBarProps) {
  const bar = useRef<HTMLElement>(null);
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const offered = useFilterOptions(trackId, filter);
  const count = countFilters(filter);
  const names = listShownNames(filter, isMoreOpen);
  const hasMore = isMoreOpen || names.length < FILTER_NAMES.length;
  const change = (name: FilterName, value: string) => onChange(changeFilter(filter, name, value));
  return (
    <section ref={bar} tabIndex={-1} aria-label="Filters">
      <div className={styles['inline']}>
        <FilterFields {...{ filter, offered, names }} onChange={change} />
        {hasMore && (
          <Button variant="quiet" aria-expanded={isMoreOpen} onClick={() => setIsMoreOpen(!isMoreOpen)}>
            {isMoreOpen ? 'Less' : 'More'}
          </Button>
        )}
        {count > 0 && (
          <Button
            variant="quiet"
            onClick={() => {
              // This button goes with the filters.
              bar.current?.focus();
              onChange(emptyFilter());
            }}
          >
            Clear
          </Button>
        )}
        {children}
      </div>
      <FilterSheet
        {...{ filter, offered, count, change, resultText, phoneActions }}
        onClear={() => onChange(emptyFilter())}
      />
      <FilterChips filter={filter} bar={bar} onRemove={(name) => change(name, '')} />
    </section>
  );
}

type FilterSheetProps = {
  filter: BoardFilter;
  offered: FilterOptions;
  count: number;
  change: (name: FilterName, value: string) => void;
  onClear: () => void;
  resultText: string;
  phoneActions: ReactNode;
};

function FilterSheet({
  filter,
  offered,
  count,
  change,
  onClear,
  resultText,
  phoneActions,
}: FilterSheetProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <div className={styles['phoneRow']}>
        <Button className={styles['openButton']} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          <SlidersHorizontal size={18} aria-hidden="true" />
          Filters
          {count > 0 && (
            <Badge>
              {count}
              <span className="visually-hidden"> in use</span>
            </Badge>
          )}
        </Button>
        {phoneActions}
      </div>
      {isOpen && (
        <Dialog
          closesOutside
          onClose={close}
          title="Filters"
          footer={
            <>
              <Button aria-disabled={count === 0} onClick={onClear}>
                Clear All Filters
              </Button>
              <Button variant="primary" onClick={close}>
                Show {resultText}
              </Button>
            </>
          }
        >
          <div className={styles['sheetFields']}>
            <FilterFields {...{ filter, offered }} names={FILTER_NAMES} onChange={change} />
          </div>
        </Dialog>
      )}
    </>
  );
}

type FilterChipsProps = {
  filter: BoardFilter;
  /** Takes the focus after the last chip. */
  bar: RefObject<HTMLElement | null>;
  onRemove: (name: FilterName) => void;
};

function FilterChips({ filter, bar, onRemove }: FilterChipsProps) {
  const list = useRef<HTMLUListElement>(null);
  const chips = filterChips(filter);
  if (chips.length === 0) return null;

  // The focus moves to a neighbour; otherwise the browser moves it to the top of the page when the chip is removed.
  const remove = (name: FilterName, index: number) => {
    const buttons = list.current?.querySelectorAll('button') ?? [];
    (buttons[index + 1] ?? buttons[index - 1] ?? bar.current)?.focus();
    onRemove(name);
  };

  return (
    <ul ref={list} className={styles['chips']} aria-label="Filters in use">
      {chips.map(({ name, label, value }, index) => (
        <li key={name} className={styles['chip']}>
          <span>
            {label}: <b>{value}</b>
          </span>
          <button
            type="button"
            className={styles['remove']}
            aria-label={`Remove filter ${label}: ${value}`}
            onClick={() => remove(name, index)}
          >
            <X size={16} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
