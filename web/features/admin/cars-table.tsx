import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { TextField } from '#web/ui/field.tsx';
import { formatCount } from '#web/ui/format.ts';
import { FailedState, LoadingState } from '#web/ui/state-message.tsx';
import table from '#web/ui/table.module.css';
import { AdminCard } from './admin-card.tsx';
import { administeredCarsQuery, pageFrom } from './administration-queries.ts';
import styles from './admin.module.css';
import { Pager } from './pager.tsx';

/** All cars of the library, with how many garages hold them. */
export function CarsTable() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  return (
    <AdminCard title="All Cars">
      <TextField
        type="search"
        label="Search cars"
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setPage(0);
        }}
      />
      <Rows search={search} page={page} onPage={setPage} />
    </AdminCard>
  );
}

type RowsProps = { search: string; page: number; onPage: (page: number) => void };

function Rows({ search, page, onPage }: RowsProps) {
  const { data, isError, refetch } = useQuery(administeredCarsQuery(useDeferredValue(search), page));
  if (isError) return <FailedState title="The cars could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <LoadingState>Loading cars...</LoadingState>;
  return (
    <div>
      <output className={styles['caption']}>{formatCount(data.total)} found</output>
      <div className={table['frame']}>
        <table className={table['table']}>
          <caption className="visually-hidden">Cars of the library</caption>
          <thead>
            <tr>
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
              <th scope="col" className={table['number']}>
                Garages
              </th>
            </tr>
          </thead>
          <tbody>
            {data.cars.map(({ id, modelDisplay, modelKey, years, drivetrain, raceClass, garageCount }) => (
              <tr key={id}>
                <th scope="row">
                  {modelDisplay}
                  <span className={table['part']}>{modelKey}</span>
                  <span className={table['under']}>
                    {[years, drivetrain, raceClass].filter(Boolean).join(', ')}
                  </span>
                </th>
                <td className={table['wide']}>{years}</td>
                <td className={table['wide']}>{drivetrain}</td>
                <td className={table['wide']}>{raceClass}</td>
                <td className={table['number']}>{formatCount(garageCount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager noun="cars" page={pageFrom(data.cars, page, data.total)} total={data.total} onPage={onPage} />
    </div>
  );
}
