import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { chooseSample } from './process-files.ts';
import { samplesQuery } from './samples-query.ts';
import styles from './samples.module.css';
import { useUpload } from './use-upload.ts';

/** Fetches the list of samples with the page, so that nothing below it moves later. */
export function prefetchSamples(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery(samplesQuery);
}

/** Offers lap files to try out, unless the club has switched them off. */
export function SampleLapFiles() {
  const upload = useUpload();
  const { data } = useQuery(samplesQuery);
  if (!data || data.samples.length === 0) return null;
  return (
    <section className={styles['samples']} aria-labelledby="samples">
      <h2 id="samples">No lap file yet? Try a sample:</h2>
      <p>
        You can look into its laps, compare and share them. They are simulated, in a BMW M2 CS on R-Comp
        tires, so they never rank with real laps. There is no video: enter any link.
      </p>
      <ul>
        {data.samples.map(({ fileName, trackName, format }) => (
          <li key={fileName}>
            <button type="button" onClick={() => void chooseSample(upload, fileName)}>
              {trackName}
            </button>{' '}
            <span>{format}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Loads the sample that the URL names, once: a reload shows the files that are chosen then. */
export function useSampleOfUrl(): void {
  const upload = useUpload();
  const [search, setSearch] = useSearchParams();
  const fileName = search.get('sample');
  useEffect(() => {
    if (fileName === null) return;
    setSearch({}, { replace: true });
    void chooseSample(upload, fileName);
  }, [upload, fileName, setSearch]);
}
