//! The report in a browser: it draws, plays, zooms, saves and sorts without a complaint on the console.
//!
//! With `PLIANT_KEEP_REPORTS=FOLDER` the pages and screenshots of them stay there, for eyes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod chromium;
mod sample;
mod shapes;

use std::path::Path;

use serde_json::Value;

/// Puts the scripts of a test around a page, opens it and gives what they saw.
fn drive(browser: &Path, html: &str, script: &str, size: (u32, u32)) -> Value {
    drive_with(browser, html, script, size, &[])
}

fn drive_with(browser: &Path, html: &str, script: &str, size: (u32, u32), options: &[&str]) -> Value {
    drive_for(browser, html, script, size, options, "--virtual-time-budget=20000")
}

fn drive_for(
    browser: &Path,
    html: &str,
    script: &str,
    size: (u32, u32),
    options: &[&str],
    patience: &str,
) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("driven.html");
    let catch = format!("<head><script>{}</script>", include_str!("catch.js"));
    let driver = format!("<script>{script}\n{}</script></body>", include_str!("verdict.js"));
    let driven = html.replacen("<head>", &catch, 1);
    let end = driven.rfind("</body>").unwrap();
    std::fs::write(&page, [&driven[..end], &driver, &driven[end + 7..]].concat()).unwrap();
    let dom = chromium::open(browser, &page, size, &[&[patience, "--dump-dom"], options].concat());
    let verdict = dom.split_once("<pre id=\"verdict\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((verdict, _)) = verdict else {
        panic!("no verdict from the page: {}", dom.chars().take(2000).collect::<String>());
    };
    let verdict = verdict.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&verdict).unwrap()
}

/// Keeps the page and pictures of it where someone asked for them.
fn keep(browser: &Path, name: &str, html: &str) {
    let Some(folder) = std::env::var_os("PLIANT_KEEP_REPORTS") else { return };
    let folder = std::path::absolute(folder).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    let page = folder.join(format!("{name}.html"));
    std::fs::write(&page, html).unwrap();
    let picture = |kind: &str, size, options: &[&str]| {
        let file = format!("--screenshot={}", folder.join(format!("{name}-{kind}.png")).display());
        chromium::open(
            browser,
            &page,
            size,
            &[&[file.as_str(), "--virtual-time-budget=5000"], options].concat(),
        );
    };
    picture("light", (1360, 3600), &[]);
    picture("dark", (1360, 3600), &["--blink-settings=preferredColorScheme=0"]);
    picture("narrow", (500, 5200), &[]);
    let pdf = format!("--print-to-pdf={}", folder.join(format!("{name}.pdf")).display());
    chromium::open(
        browser,
        &page,
        (1360, 900),
        &[&pdf, "--no-pdf-header-footer", "--virtual-time-budget=5000"],
    );
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("not a number: {value}"))
}

fn no_troubles(seen: &Value) {
    assert_eq!(seen["troubles"], serde_json::json!([]), "{seen:#}");
    assert!(seen.get("failure").is_none(), "{seen:#}");
    assert_eq!(seen["ready"], true);
}

#[test]
fn a_run_is_drawn_played_and_saved() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::run(1601, sample::machine(121, 16)).into_html();
    keep(&browser, "run", &html);
    let seen = drive(&browser, &html, include_str!("run.js"), (1360, 900));
    println!("{seen:#}");
    no_troubles(&seen);
    // Background, floor, ghost and shaded links.
    assert!(number(&seen["colours"]) > 50.0);
    for what in
        ["frames_differ", "scale_differs", "colour_differs", "ghost_differs", "key_turns", "drag_turns"]
    {
        // A link covers more than one thousandth of the view.
        assert!(number(&seen[what]) > 1e-3, "{what}: {seen:#}");
    }
    assert!(number(&seen["symbols_differ"]) > 1e-3, "{seen:#}");
    // Displacements of links are kept to a ten-thousandth of the largest one, times the exaggeration of 60.
    assert!(number(&seen["symbol_gap"]) < 60.0 * 1e-4 * 5e-3 + 1e-6, "{seen:#}");
    assert_eq!(number(&seen["kinds_drawn"]), 4.0, "cylinders, boxes, cones and balls: {seen:#}");
    assert_eq!(number(&seen["home_returns"]), 0.0);
    assert_eq!(number(&seen["key_steps"]), 1.0);
    assert!(seen["scale_shown"].as_str().unwrap().contains("× 200"));
    assert!(seen["legend"].as_str().unwrap().contains("MPa"), "{}", seen["legend"]);
    // The sample's stress is 24 GPa per metre of bending, a link with no field has no colour.
    assert!(number(&seen["stress"]) > 1e5 && number(&seen["levels"]) > 20.0, "{seen:#}");
    assert_eq!(seen["without"], true);
    assert_eq!(seen["pressed"], "true");
    assert!(number(&seen["played_to"]) > 5.0, "{seen:#}");
    assert_eq!(seen["stays"], true);
    assert!(seen["readout"].as_str().unwrap().contains("norm:"));
    assert!(number(&seen["zoomed"]) < 0.6 && number(&seen["key_zoom"]) < 0.7, "{seen:#}");
    assert_eq!(number(&seen["reset"]), 1.0);
    // Half of the time between two frames.
    assert!(number(&seen["click_moves_machine"]) <= 0.5 * 2.0 / 120.0 + 1e-9);
    assert_eq!(seen["csv"]["head"], "time (s),x (mm),y (mm),z (mm),norm (mm)");
    assert_eq!(number(&seen["csv"]["rows"]), 1601.0);
    assert_eq!((&seen["svg_parses"], &seen["svg_stands_alone"]), (&Value::Bool(true), &Value::Bool(true)));
    assert!(number(&seen["png_bytes"]) > 5000.0);
    // The vibration of the sample is at 12.5 Hz; a second of it is distinguished to about half a hertz.
    let note = seen["spectrum_note"].as_str().unwrap();
    let hz: f64 = note.trim_start_matches("Highest peaks: ").split(' ').next().unwrap().parse().unwrap();
    assert!((hz - 12.5).abs() < 0.6, "{note}");
    let loads = seen["loads"].as_str().unwrap();
    assert!(["hip", "bearing", "812.5 N", "94 N m"].iter().all(|text| loads.contains(text)), "{loads}");
    assert_eq!(seen["analyses"], serde_json::json!(["nonlinear", "quasi-static"]));
    assert_eq!(seen["overlaid"], seen["analyses"]);
    assert!(number(&seen["apart"]) > 0.1, "the vibration that one of them has: {seen:#}");
    assert_eq!(seen["stress_plot"], "stress (MPa)");
    assert!(seen["worst"].as_str().unwrap().contains("48.2 MPa"), "{seen:#}");
    assert_eq!(seen["theme_differs"], true);
    let paper = &seen["paper"];
    assert_eq!(
        (number(&paper["corner"]), &paper["light"]),
        (f64::from(u32::MAX), &Value::Bool(true)),
        "paper is white"
    );
    assert!(number(&paper["colours"]) > 50.0, "{paper}");
    assert_eq!(seen["unnamed"], serde_json::json!([]), "controls without a name");
    assert_eq!(seen["wider_than_window"], false);
}

#[test]
fn two_thousand_frames_do_not_freeze_it() {
    let Some(browser) = chromium::browser() else { return };
    let machine = sample::machine(2000, 100);
    let moving = machine.symbols.iter().flat_map(|s| &s.ends).filter(|end| end.part.is_some()).count();
    let html = sample::run(100_001, machine).into_html();
    // Frames are a few shapes times coefficients, and lines are thinned; an end of a symbol has six numbers
    // of four bytes for each frame, in base64.
    assert!(html.len() < 20_000_000 + moving * 2000 * 6 * 4 * 4 / 3, "{} bytes, {moving} ends", html.len());
    let seen = drive(&browser, &html, include_str!("long.js"), (480, 900));
    println!("{} bytes, {seen:#}", html.len());
    no_troubles(&seen);
    assert_eq!(number(&seen["frames"]), 2000.0);
    // What is drawn grows with the window and not with the run: four points of some ten characters for each
    // pixel column.
    assert!(number(&seen["path_length"]) < 4.0 * 14.0 * 480.0, "{seen:#}");
    assert!(number(&seen["peak_drawn"]) > 0.999, "thinning lost the peak: {seen:#}");
    assert_eq!(seen["wider_than_window"], false, "a narrow window");
}

#[test]
fn a_response_plays_its_modes_and_draws_its_loops() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::response().into_html();
    keep(&browser, "response", &html);
    for size in [(1360, 900), (420, 900)] {
        let seen = drive(&browser, &html, include_str!("response.js"), size);
        println!("{seen:#}");
        no_troubles(&seen);
        for what in ["phase_differs", "mode_differs", "played"] {
            assert!(number(&seen[what]) > 1e-3, "{what}: {seen:#}");
        }
        assert_eq!(number(&seen["same_phase"]), 0.0);
        assert!(seen["status"].as_str().unwrap().contains("10 Hz"), "{seen:#}");
        assert_eq!(number(&seen["tracks"]), 3.0);
        // 1/(2ζ) at 5 Hz: what the curve of ζ = 0.01 shows there, between its samples of two percent.
        assert!(number(&seen["peak"]) > 10.0 && number(&seen["peak"]) < 50.0, "{seen:#}");
        // From 0 to −180 degrees, without a jump.
        assert!(number(&seen["last_phase"]) < -170.0 && number(&seen["jump"]) < 180.0, "{seen:#}");
        assert_eq!(number(&seen["map_cells"]), 2.0);
        assert_eq!(seen["map_titles"], serde_json::json!(["mode_1_hz (Hz)", "compliance_z (m/N)"]));
        assert_eq!(seen["workspace_axes"], serde_json::json!(["tip x (m)", "tip y (m)"]));
        assert!(seen["hovered"].as_str().unwrap().contains("Hz:"), "{seen:#}");
        assert_eq!(seen["wider_than_window"], false);
        assert_eq!(seen["unnamed"], serde_json::json!([]), "controls without a name");
    }
}

/// Light, and dark, at the widths of a desk and of a phone.
const WINDOWS: [((u32, u32), bool); 4] =
    [((1400, 900), false), ((1400, 900), true), ((500, 900), false), ((400, 900), true)];

const DARK: &str = "--blink-settings=preferredColorScheme=0";

#[test]
fn every_control_of_the_view_does_something() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::run(401, sample::machine(61, 16)).into_html();
    for (size, dark) in WINDOWS {
        let options: &[&str] = if dark { &[DARK] } else { &[] };
        let seen = drive_with(&browser, &html, include_str!("stage.js"), size, options);
        println!("{size:?} dark: {dark} {seen:#}");
        no_troubles(&seen);
        for reach in seen["reaches"].as_array().unwrap() {
            assert!(number(reach) < 1.0, "a part is outside of the view: {seen:#}");
        }
        let most = seen["reaches"].as_array().unwrap().iter().map(number).fold(0.0, f64::max);
        assert!(most > 0.6, "the machine fills the view: {seen:#}");
        for (name, differs) in seen["toggles"].as_object().unwrap() {
            assert!(number(differs) > 1e-5, "{name} changes nothing: {seen:#}");
        }
        assert!(seen["toggles"].get("reaction").is_some() && seen["toggles"].get("load").is_some());
        assert!(seen["names"].as_array().unwrap().len() > 2, "{seen:#}");
        assert_eq!(seen["names_overlap"], false, "{seen:#}");
        let cuts: Vec<f64> = seen["cuts"].as_array().unwrap().iter().map(number).collect();
        assert!(cuts[0] > cuts[1] && cuts[1] > cuts[2] && cuts[2] < 1e-3, "{cuts:?}");
        assert_eq!((number(&seen["inside"]), number(&seen["uncut"])), (1.0, 0.0));
        assert_eq!(seen["alone"], serde_json::json!([true, false, false]));
        assert_eq!(seen["hidden"], serde_json::json!([true, false, true]));
        assert!(number(&seen["alone_differs"]) > 1e-3);
        assert_eq!((&seen["together"], &seen["all"]), (&Value::Bool(true), &Value::Bool(true)));
        assert!(number(&seen["fast"]) > 3.0 * number(&seen["slow"]), "{seen:#}");
        assert_eq!(number(&seen["no_speed"]), 1.0);
        // 120 N at the start, and 3 N m.
        assert_eq!(seen["arrow"], "push: 120 N, 3 N m");
        assert_eq!(seen["arrow_found"], true);
        assert_eq!(seen["bars"], serde_json::json!(["fore"]), "a section that is known is drawn");
        assert_eq!(seen["phone_overlap"], false);
        assert_eq!(seen["unnamed"], serde_json::json!([]), "controls without a name");
        assert_eq!(seen["wider_than_window"], false);
    }
}

#[test]
fn two_runs_are_laid_over_and_beside_each_other() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::run(401, sample::two_runs()).into_html();
    keep(&browser, "two-runs", &html);
    let seen = drive(&browser, &html, include_str!("runs.js"), (1400, 900));
    println!("{seen:#}");
    no_troubles(&seen);
    assert_eq!(
        seen["choices"],
        serde_json::json!(["overlaid", "side by side", "before alone", "after alone"])
    );
    assert_eq!(seen["colour"], "run");
    assert!(["before", "after"].iter().all(|run| seen["legend"].as_str().unwrap().contains(run)));
    assert_eq!((number(&seen["over"]), number(&seen["back"])), (0.0, 0.0));
    assert!((number(&seen["beside"]) - 0.9).abs() < 1e-4, "{seen:#}");
    assert_eq!(seen["only"], serde_json::json!([false, false, false, true, true, true]));
    assert_eq!(number(&seen["symbols"]), 1.0);
    assert_eq!(seen["all"], true);
}

#[test]
fn a_machine_is_viewed_with_its_problems() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::view().into_html();
    keep(&browser, "view", &html);
    for (size, dark) in WINDOWS {
        let options: &[&str] = if dark { &[DARK] } else { &[] };
        let seen = drive_with(&browser, &html, include_str!("view.js"), size, options);
        println!("{seen:#}");
        no_troubles(&seen);
        assert_eq!(seen["hidden"], serde_json::json!([true, true, true, true]), "nothing moves");
        assert_eq!(seen["time_hidden"], true);
        assert_eq!(seen["checked"], serde_json::json!([true, true, true, true, true]));
        assert_eq!(seen["colour"], "link");
        assert_eq!(seen["pins"], serde_json::json!(["1", "2"]));
        assert!(number(&seen["pin_off"]) < 1.0, "{seen:#}");
        assert_eq!(seen["chosen"], serde_json::json!(["problem-1"]));
        assert_eq!((&seen["looks_at"], &seen["pin_chosen"]), (&Value::Bool(true), &Value::Bool(true)));
        assert_eq!((seen["marked"].as_str(), number(&seen["rows"])), (Some("-2"), 3.0));
        assert_eq!(seen["mass"], true);
        let names = seen["names"].as_array().unwrap();
        assert!(["upper", "tip"].iter().all(|name| names.iter().any(|other| other == name)), "{seen:#}");
        assert_eq!(seen["unnamed"], serde_json::json!([]), "controls without a name");
        assert_eq!(seen["wider_than_window"], false);
    }
}

#[test]
fn one_pass_is_recorded_as_a_video() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::run(401, sample::machine(31, 8)).into_html();
    // A picture that takes its time holds the page open: a video is recorded in real time.
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let held = format!("<img src=\"http://{}/\" alt=\"\"></body>", listener.local_addr().unwrap());
    let html = html.replacen("</body>", &held, 1);
    std::thread::spawn(move || {
        let connections: Vec<_> = listener.incoming().take(1).collect();
        std::thread::sleep(std::time::Duration::from_secs(12));
        drop(connections);
    });
    let seen = drive_for(&browser, &html, include_str!("video.js"), (900, 700), &[], "--mute-audio");
    println!("{seen:#}");
    no_troubles(&seen);
    assert_eq!((&seen["offered"], seen["pressed"].as_str()), (&Value::Bool(true), Some("true")));
    assert!(seen["kind"].as_str().unwrap().starts_with("video/webm"), "{seen:#}");
    assert!(number(&seen["bytes"]) > 10_000.0, "{seen:#}");
    assert_eq!((seen["ended"].as_str(), number(&seen["frame"])), (Some("false"), 30.0));
}

#[test]
fn a_study_of_few_cases_says_so() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::study(15).into_html();
    let script = "window.drive = async (seen) => { seen.text = document.getElementById('sensitivity').innerText; seen.bars = document.querySelectorAll('ul.bars').length; };";
    let seen = drive(&browser, &html, script, (1360, 900));
    no_troubles(&seen);
    assert_eq!(number(&seen["bars"]), 0.0);
    // 15 of 27 in the study.
    assert!(seen["text"].as_str().unwrap().contains("15 of 27 cases"), "{seen:#}");
}

/// A window of exactly 400 pixels, as a telephone has: browsers make none below 500, so the page is in a
/// frame.
fn in_a_narrow_frame(browser: &Path, html: &str, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let catch = format!("<head><script>{}</script>", include_str!("catch.js"));
    let (script, verdict) = (include_str!("narrow.js"), include_str!("verdict.js"));
    let driver = format!("<script>{script}\n{verdict}</script></body>");
    let driven = html.replacen("<head>", &catch, 1);
    let end = driven.rfind("</body>").unwrap();
    let inner = [&driven[..end], &driver, &driven[end + 7..]].concat();
    std::fs::write(folder.path().join("inner.html"), inner).unwrap();
    let outer = "<body style=\"margin:0\"><pre id=\"verdict\"></pre><script>addEventListener(\"message\", (m) => { verdict.textContent = m.data; });</script>\
                 <iframe src=\"inner.html\" style=\"width:400px;height:880px;border:0\"></iframe></body>";
    let page = folder.path().join("outer.html");
    std::fs::write(&page, outer).unwrap();
    let options = [&["--virtual-time-budget=20000", "--dump-dom"], options].concat();
    let dom = chromium::open(browser, &page, (600, 900), &options);
    let verdict = dom.split_once("<pre id=\"verdict\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let verdict = verdict.unwrap_or_else(|| panic!("no verdict: {dom}")).0;
    let verdict = verdict.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&verdict).unwrap_or_else(|error| panic!("{error}: {verdict:?}"))
}

#[test]
fn a_response_fits_four_hundred_pixels() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::response().into_html();
    for (dark, options) in [(false, &[][..]), (true, &["--blink-settings=preferredColorScheme=0"])] {
        let seen = in_a_narrow_frame(&browser, &html, options);
        println!("{seen:#}");
        assert_eq!((number(&seen["width"]), &seen["dark"]), (400.0, &Value::Bool(dark)));
        assert_eq!(number(&seen["scroll_width"]), 400.0);
        assert_eq!(seen["beyond"], serde_json::json!([]), "beyond the window");
        assert_eq!(seen["overlaps"], serde_json::json!([]), "controls that overlap");
    }
}

#[test]
fn a_study_of_five_thousand_cases_is_sorted_and_explored() {
    let Some(browser) = chromium::browser() else { return };
    let html = sample::study(5000).into_html();
    keep(&browser, "study", &html);
    let seen = drive(&browser, &html, include_str!("study.js"), (1360, 900));
    println!("{} bytes, {seen:#}", html.len());
    no_troubles(&seen);
    // A page of the table and no more is in the document.
    assert_eq!(number(&seen["rows"]), 50.0);
    for (what, sort) in [("up", "ascending"), ("down", "descending")] {
        assert_eq!(seen[what]["sort"], sort);
        let values: Vec<f64> = seen[what]["values"].as_array().unwrap().iter().map(number).collect();
        assert!(values.is_sorted_by(|a, b| if what == "up" { a <= b } else { a >= b }), "{what}: {values:?}");
    }
    // The extremes of the error among all cases, not of one page: largest with the heaviest payload, thinnest
    // wall, fastest motion.
    assert!(number(&seen["down"]["values"][0]) > 5.0 * number(&seen["up"]["values"][0]));
    // Cases 37, 74, … up to 4995.
    assert_eq!(seen["failed_only"], "1 to 50 of 135 cases");
    assert_eq!(seen["filtered"], "1 to 50 of 1667 cases");
    assert_eq!(number(&seen["csv_rows"]), 5000.0);
    assert!(number(&seen["compared"]) > 100.0, "{seen:#}");
    assert_eq!(seen["compared_right"], true);
    assert_eq!((&seen["explored"], &seen["matrix_drawn"]), (&seen["compared"], &seen["compared"]));
    assert!(number(&seen["passing"]) > 100.0 && number(&seen["passing"]) < 4865.0, "{seen:#}");
    assert!(seen["wrong"].as_str().unwrap().contains("nonsense"), "{seen:#}");
    assert_eq!(seen["badges"], serde_json::json!(["pass", "fail"]));
    assert_eq!(seen["unit"], true);
    assert!(number(&seen["front"]) >= 3.0 && seen["front_right"] == true, "{seen:#}");
    let rows = seen["influences"].as_array().unwrap();
    assert_eq!((rows.len(), number(&seen["bars"])), (4, 4.0));
    let expected = sample::share_of_mass(5000);
    for row in rows {
        let (value, low, high) = (number(&row[1]), number(&row[2]), number(&row[3]));
        assert!(low < value && value < high && high - low < 0.1, "{row}");
        // What chance alone gives of ten slices of 4,865 cases, and no more, is taken off.
        if row[0] == "payload.mass" {
            assert!(value < expected && expected - value < 10.0 / 4865.0, "{row}, {expected}");
        }
    }
    // Twelve bins each way, none of them empty.
    assert_eq!(number(&seen["heat"]), 144.0);
    assert!(seen["ink"].as_array().unwrap().iter().all(|ink| number(ink) > 0.02), "{seen:#}");
    let dragged = seen["dragged"].as_str().unwrap();
    assert!(dragged.contains("payload.mass >= ") && dragged.contains("payload.mass <= "), "{dragged}");
    assert!(number(&seen["dragged_rows"]) > 500.0 && number(&seen["dragged_rows"]) < 3000.0, "{seen:#}");
    assert_eq!(
        seen["opened"],
        serde_json::json!(["results/case-000007.html", "pliant report study/results/case-000007.vtkhdf"])
    );
    assert_eq!(seen["not_kept"], true);
    // All that did not fail.
    assert_eq!(number(&seen["dots"]), 4865.0);
    assert_eq!(number(&seen["coloured_groups"]), 7.0);
    assert_eq!(seen["metric_changed"], true);
    assert_eq!(seen["chosen_row"], true);
    assert!(seen["first_influence"].as_str().unwrap().starts_with("payload.mass"), "{seen:#}");
    assert_eq!(seen["unnamed"], serde_json::json!([]), "controls without a name");
    assert_eq!(seen["wider_than_window"], false);
}
