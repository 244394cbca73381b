import { listRecordings, nameLapFile, saveRecordingEntry } from './kept-recordings.ts';

/** Notes of recordings that the server has their laps, by the names of the files that were stored. */
export async function markSent(fileNames: readonly string[]): Promise<void> {
  for (const recording of await listRecordings()) {
    if (recording.state === 'kept' && fileNames.includes(nameLapFile(recording))) {
      await saveRecordingEntry({ ...recording, state: 'sent' });
    }
  }
}
