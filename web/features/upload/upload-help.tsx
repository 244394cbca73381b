import { Card } from '#web/ui/card.tsx';
import common from '#web/ui/common.module.css';
import styles from './upload-help.module.css';

const FORMATS = [
  {
    name: 'CSV',
    text: 'Exports of RaceChrono, TrackAddict and other loggers, or any table with time, latitude and longitude.',
  },
  { name: 'GPX', text: 'GPX 1.0 and 1.1, where every point has its time.' },
  {
    name: 'Logger files',
    text: 'As they lie on the card: AiM .xrk and .xrz, RaceChrono .rcz, Racelogic .vbo and .vbb, MoTeC .ld, Qstarz .bin, u-blox and RaceBox .ubx, Race Technology .run, ECUMaster .adulog, iRacing .ibt, Garmin .fit, .nmea, .log, .sa. Compressed (.gz) or several in a .zip.',
  },
  {
    name: 'GoPro videos',
    text: 'The GPS track of HERO5 to HERO11, HERO13 and MAX. The video stays on your device: only its positions are read and sent.',
  },
];

const STEPS = [
  { title: 'Choose your lap files', text: 'One session or a whole track day at once.' },
  { title: 'Process them', text: 'We find the track and its layout by the GPS positions.' },
  { title: 'Check the laps', text: 'See the time of every lap, and why a lap does not count.' },
  { title: 'Upload', text: 'Add car, tires and video. Your best lap goes on the board.' },
];

/** Shows next to the form which formats are supported, and how an upload works. */
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
              <p className={common['lead']}>{text}</p>
            </li>
          ))}
        </ol>
        <p className={styles['phone']}>
          On Android, install Pitboard from the menu of the browser: then <b>Share → Pitboard</b> in your lap
          timer brings the file here. On an iPhone or iPad, save it to Files and choose it here.
        </p>
      </Card>
    </>
  );
}
