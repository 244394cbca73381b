import Check from 'lucide-react/icons/check';
import Merge from 'lucide-react/icons/merge';
import { useRef, useState, type RefObject } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatCount, pluralize } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { useCall } from '#web/ui/use-call.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { StatusBadge } from '#web/ui/admin-table.tsx';
import { administeredCarsQuery, type AdministeredCar } from './library-queries.ts';
import { formatTableMoment } from '#web/ui/format.ts';
import styles from '#web/ui/admin.module.css';
import { LibraryTable } from './library-table.tsx';
import { MergeCar } from './merge-car.tsx';

/** Shows all cars with the number of garages that hold them; administrators approve or merge proposed cars. */
export function CarsTable() {
  const [merged, setMerged] = useState<AdministeredCar | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  return (
    <AdminCard
      title="All Cars"
      lead="Cars that drivers propose come first, until they are approved or merged."
    >
      <LibraryTable noun="cars" query={administeredCarsQuery} searchField={searchField} columns={COLUMNS}>
        {(car) => <CarRow key={car.id} car={car} focusAfter={searchField} onMerge={setMerged} />}
      </LibraryTable>
      {merged && <MergeCar car={merged} focusAfter={searchField} onClose={() => setMerged(null)} />}
    </AdminCard>
  );
}

const COLUMNS = {
  Car: '',
  Years: 'wide',
  Drivetrain: 'wide',
  'Race Class': 'wide',
  Garages: 'wide number',
  Actions: 'for-screen-readers',
} as const;

type CarRowProps = {
  car: AdministeredCar;
  /** Takes the focus when the buttons of the row are gone. */
  focusAfter: RefObject<HTMLElement | null>;
  onMerge: (car: AdministeredCar) => void;
};

function CarRow({ car, focusAfter, onMerge }: CarRowProps) {
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
        {isProposal && <ProposalActions car={car} focusAfter={focusAfter} onMerge={onMerge} />}
      </td>
    </tr>
  );
}

function ProposalActions({ car, focusAfter, onMerge }: CarRowProps) {
  const { id, modelDisplay } = car;
  const { run, isBusy } = useCall('POST /api/admin/cars/:carId/approve', {
    success: { title: 'Car Approved', description: `${modelDisplay} is official now.` },
    failure: 'Approval Failed',
  });
  useFocusAfter(focusAfter);
  return (
    <span className={styles['rowActions']}>
      <IconButton
        size="small"
        label={`Approve ${modelDisplay}`}
        icon={<Check size={16} />}
        pending={isBusy}
        onClick={() => void run({ params: { carId: id } })}
      />
      <IconButton
        size="small"
        label={`Merge ${modelDisplay}`}
        icon={<Merge size={16} />}
        onClick={() => onMerge(car)}
      />
    </span>
  );
}

function describeProposal({ proposedByName, proposedAt }: AdministeredCar): string {
  const moment = proposedAt === null ? null : formatTableMoment(proposedAt);
  return [proposedByName ?? 'Deleted account', moment].filter(Boolean).join(', ');
}
