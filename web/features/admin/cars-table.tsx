import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Merge } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { describeError } from '#web/api/api-error.ts';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { TextField } from '#web/ui/field.tsx';
import { formatCount, pluralize } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { AdminTable, StatusBadge, StatusFilter } from './admin-table.tsx';
import {
  administeredCarsQuery,
  approveCar,
  type AdministeredCar,
  type LibraryStatus,
} from './administration-queries.ts';
import { formatMoment } from './audit-words.ts';
import styles from './admin.module.css';
import { MergeCar } from './merge-car.tsx';

/** All cars of the library with how many garages hold them; what drivers propose is approved here, or merged. */
export function CarsTable() {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<LibraryStatus | ''>('');
  const [page, setPage] = useState(0);
  const [merged, setMerged] = useState<AdministeredCar | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const queryClient = useQueryClient();
  const { data, isError, refetch } = useQuery(administeredCarsQuery(useDeferredValue(search), status, page));

  async function approve({ id, modelDisplay }: AdministeredCar): Promise<void> {
    try {
      await approveCar(id, queryClient);
      showToast({ title: 'Car Approved', description: `${modelDisplay} is official now.` });
      // The button that was pressed is gone.
      searchField.current?.focus();
    } catch (error) {
      showToast({ title: 'Approval Failed', description: describeError(error), destructive: true });
    }
  }

  return (
    <AdminCard
      title="All Cars"
      lead="Cars that drivers propose come first, until they are approved or merged."
    >
      <div className={styles['filters']}>
        <TextField
          ref={searchField}
          type="search"
          label="Search cars"
          autoComplete="off"
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setPage(0);
          }}
        />
        <StatusFilter
          status={status}
          onChange={(value) => {
            setStatus(value);
            setPage(0);
          }}
        />
      </div>
      <AdminTable
        noun="cars"
        caption="Cars of the library"
        found={data && { rows: data.cars, total: data.total }}
        hasFailed={isError}
        onRetry={() => void refetch()}
        {...{ page }}
        onPage={setPage}
        head={<CarsHead />}
      >
        {(car) => <CarRow key={car.id} car={car} onApprove={approve} onMerge={setMerged} />}
      </AdminTable>
      <MergeCar car={merged} focusAfter={searchField} onClose={() => setMerged(null)} />
    </AdminCard>
  );
}

function CarsHead() {
  return (
    <>
      <th scope="col">Car</th>
      <th scope="col" className={table['wide']}>
        Years
      </th>
      <th scope="col" className={table['wide']}>
        Drivetrain
      </th>
      <th scope="col" className={table['wide']}>
        Race Class
      </th>
      <th scope="col" className={classNames(table['wide'], table['number'])}>
        Garages
      </th>
      <th scope="col">
        <span className="visually-hidden">Actions</span>
      </th>
    </>
  );
}

type CarRowProps = {
  car: AdministeredCar;
  onApprove: (car: AdministeredCar) => Promise<void>;
  onMerge: (car: AdministeredCar) => void;
};

function CarRow({ car, onApprove, onMerge }: CarRowProps) {
  const { modelDisplay, modelKey, years, drivetrain, raceClass, garageCount, status } = car;
  const isProposal = status === 'community_submitted';
  return (
    <tr>
      <th scope="row">
        {modelDisplay}
        <span className={table['part']}>{modelKey}</span>
        <span className={table['under']}>
          {[years, drivetrain, raceClass, pluralize(garageCount, 'garage')].filter(Boolean).join(', ')}
        </span>
        {isProposal && (
          <span className={styles['proposal']}>
            <StatusBadge status={status} />
            {describeProposal(car)}
          </span>
        )}
      </th>
      <td className={table['wide']}>{years}</td>
      <td className={table['wide']}>{drivetrain}</td>
      <td className={table['wide']}>{raceClass}</td>
      <td className={classNames(table['wide'], table['number'])}>{formatCount(garageCount)}</td>
      <td className={table['row']}>
        {isProposal && (
          <span className={styles['rowActions']}>
            <IconButton
              size="small"
              label={`Approve ${modelDisplay}`}
              icon={<Check size={16} />}
              onClick={() => void onApprove(car)}
            />
            <IconButton
              size="small"
              label={`Merge ${modelDisplay}`}
              icon={<Merge size={16} />}
              onClick={() => onMerge(car)}
            />
          </span>
        )}
      </td>
    </tr>
  );
}

function describeProposal({ proposedByName, proposedAt }: AdministeredCar): string {
  const moment = proposedAt === null ? null : formatMoment(proposedAt);
  return [proposedByName ?? 'Deleted account', moment].filter(Boolean).join(', ');
}
