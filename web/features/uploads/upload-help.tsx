import { SAMPLE_LAP_FILES } from '#contract/sample-lap-files.ts';
import { Card } from '#web/ui/card.tsx';
import styles from './upload-help.module.css';

const FORMATS = [
  {
    name: 'CSV',
    text: 'Exports of RaceChrono, TrackAddict and other loggers, or any table with time, latitude and longitude. VBO, NMEA and other text logs too: let their names end in .csv.',
  },
  { name: 'GPX', text: 'GPX 1.0 and 1.1, where every point has its time.' },
];

const STEPS = [
  { title: 'Choose your lap files', text: 'One session or a whole track day at once.' },
  { title: 'Process them', text: 'The GPS positions tell us the track and its layout.' },
  { title: 'Check the laps', text: 'Every lap is timed from the positions; what does not count says why.' },
  { title: 'Upload', text: 'With car, tires and video your best lap takes its place on the board.' },
];

/** The cards beside the form: which files are taken, and what happens to them. */
export function UploadHelp() {
  return (
    <>
      <Card as="section">
        <h2 className={styles['heading']}>Supported Formats</h2>
        <dl className={styles['formats']}>
          {FORMATS.map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card as="section">
        <h2 className={styles['heading']}>How It Works</h2>
        <ol className={styles['steps']}>
          {STEPS.map(({ title, text }) => (
            <li key={title}>
              <p className={styles['title']}>{title}</p>
              <p className={styles['text']}>{text}</p>
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}

/** Lap files for whoever has none. */
export function SampleLapFiles() {
  return (
    <section className={styles['samples']} aria-labelledby="samples">
      <h2 id="samples">No file at hand? Try a sample:</h2>
      <ul>
        {SAMPLE_LAP_FILES.map(({ fileName, trackName, format }) => (
          <li key={fileName}>
            <a href={`/api/samples/${fileName}`} download={fileName}>
              {trackName}
            </a>{' '}
            <span>{format}</span>
          </li>
        ))}
      </ul>
      <p>
        Download one, then drop it here. Nobody drove them: a simulated driver did, in a BMW M2 CS on R-Comp
        tires. There is no video of it, so any link will do.
      </p>
    </section>
  );
}
