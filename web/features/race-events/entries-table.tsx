import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Headings, Table, type Columns } from '#web/ui/table.tsx';
import table from '#web/ui/table.module.css';
import type { EventView, ShownEntry } from './event-view.ts';
import { DriverName } from './results-table.tsx';

const COLUMNS: Columns = { 'No.': 'number', Driver: '', Class: 'wide', Car: 'wide', Group: 'wide' };

type EntriesTableProps = { view: EventView; onEntry: ((entry: ShownEntry) => void) | undefined };

/** Lists who is entered, those who withdrew last. Organisers change an entry here. */
export function EntriesTable({ view: { entries }, onEntry }: EntriesTableProps) {
  const columns: Columns = onEntry ? { ...COLUMNS, Change: 'for-screen-readers' } : COLUMNS;
  const ordered = [...entries].toSorted((a, b) => Number(a.isWithdrawn) - Number(b.isWithdrawn));
  return (
    <Table caption="Entries" head={<Headings columns={columns} />}>
      {ordered.map((entry) => (
        <tr key={entry.id}>
          <td className={table['number']}>{entry.number}</td>
          <th scope="row">
            <DriverName entry={entry} /> {entry.isWithdrawn && <Badge>Withdrawn</Badge>}
            <span className={table['under']}>
              {[entry.className, entry.car, entry.group].filter(Boolean).join(' · ')}
            </span>
          </th>
          <td className={table['wide']}>{entry.className}</td>
          <td className={table['wide']}>{entry.car}</td>
          <td className={table['wide']}>{entry.group}</td>
          {onEntry && (
            <td className={table['action']}>
              <Button
                size="small"
                variant="quiet"
                aria-label={`Change entry ${entry.number}`}
                onClick={() => onEntry(entry)}
              >
                Change
              </Button>
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}
